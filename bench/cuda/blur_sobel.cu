// blur_sobel<3, std::uint8_t> of kernels/blur_sobel.hpp.
constexpr int radius = 3;
constexpr int rows = 16;
constexpr int pixels = 30;

__device__ int clamped(int x, int high) { return max(0, min(x, high)); }

template <class Tap>
__device__ float weighted(const float* weight, Tap tap) {
  float sum = tap(0) * weight[0];
#pragma unroll
  for (int d = 1; d <= radius; ++d) sum = fmaf(tap(-d) + tap(d), weight[d], sum);
  return sum;
}

extern "C" __global__ void __launch_bounds__(384)
blur_sobel(const unsigned char* __restrict__ picture, unsigned ldp, unsigned char* __restrict__ edges, unsigned lde, int width,
           int height, float sigma) {
  __shared__ float along_rows[rows + 2 * (radius + 1)][96];
  __shared__ float along_columns[rows + 2][96];
  float weight[radius + 1];
  float total = 0.0f;
#pragma unroll
  for (int d = 0; d <= radius; ++d) {
    weight[d] = __expf(-0.5f / (sigma * sigma) * static_cast<float>(d * d));
    total += d == 0 ? weight[d] : 2.0f * weight[d];
  }
  const float scale = 1.0f / total;
#pragma unroll
  for (int d = 0; d <= radius; ++d) weight[d] *= scale;

  const int top = static_cast<int>(blockIdx.y) * rows - 1;
  const int left = static_cast<int>(blockIdx.x) * pixels - 1;
  const int lane = threadIdx.x;
  const int first = threadIdx.y;
  const int pixel = left + lane / 3;
  const int channel = lane % 3;
  const auto column = [&](int d) { return clamped(pixel + d, width - 1) * 3 + channel; };

  for (int line = first; line < rows + 2 * (radius + 1); line += 4) {
    const int row = clamped(top + line - radius, height - 1);
    along_rows[line][lane] =
        weighted(weight, [&](int d) { return static_cast<float>(picture[row * ldp + column(d)]); }) * (1.0f / 255.0f);
  }
  __syncthreads();
  for (int line = first; line < rows + 2; line += 4)
    along_columns[line][lane] = weighted(weight, [&](int d) { return along_rows[line + radius + d][lane]; });
  __syncthreads();
  for (int line = first; line < rows; line += 4) {
    const int row = top + line + 1;
    if (row < height && pixel < width && lane >= 3 && lane < 93) {
      const auto at = [&](int dy, int dx) {
        return along_columns[clamped(row + dy, height - 1) - top][column(dx) - left * 3];
      };
      const float gx = (at(-1, 1) - at(-1, -1)) + (at(1, 1) - at(1, -1)) + 2.0f * (at(0, 1) - at(0, -1));
      const float gy = (at(1, -1) - at(-1, -1)) + (at(1, 1) - at(-1, 1)) + 2.0f * (at(1, 0) - at(-1, 0));
      const float magnitude = rintf(sqrtf(gx * gx + gy * gy) * 255.0f);
      edges[row * lde + pixel * 3 + channel] = static_cast<unsigned char>(fminf(magnitude, 255.0f));
    }
  }
}

// Convolution of an image by columns and rows with weights in constant memory; the border repeats.
constexpr int R = 4;
__constant__ float weights[2 * R + 1];

extern "C" __global__ void convolution_rows(const float* x, float* y, int width, int height) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
  if (c >= width) return;
  float sum = 0;
  for (int k = -R; k <= R; ++k) sum = fmaf(weights[k + R], x[r * width + min(max(c + k, 0), width - 1)], sum);
  y[r * width + c] = sum;
}

extern "C" __global__ void convolution_columns(const float* x, float* y, int width, int height) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
  if (c >= width) return;
  float sum = 0;
  for (int k = -R; k <= R; ++k) sum = fmaf(weights[k + R], x[min(max(r + k, 0), height - 1) * width + c], sum);
  y[r * width + c] = sum;
}

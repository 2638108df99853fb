// Filters of images of bytes: grey from RGB, Sobel edges, box blur, bilinear scaling, median of nine.
__device__ int pixel(const unsigned char* image, int x, int y, int width, int height) {
  return image[min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)];
}

#define PLACE                                            \
  const int x = blockIdx.x * blockDim.x + threadIdx.x;   \
  const int y = blockIdx.y * blockDim.y + threadIdx.y;   \
  if (x >= width || y >= height) return

extern "C" __global__ void grey(const uchar3* in, unsigned char* out, int width, int height) {
  PLACE;
  const uchar3 c = in[y * width + x];
  out[y * width + x] = (77 * c.x + 150 * c.y + 29 * c.z + 128) >> 8;
}

extern "C" __global__ void sobel(const unsigned char* in, unsigned char* out, int width, int height) {
  PLACE;
  int gx = 0, gy = 0;
#pragma unroll
  for (int d = -1; d <= 1; ++d) {
    const int weight = d == 0 ? 2 : 1;
    gx += weight * (pixel(in, x + 1, y + d, width, height) - pixel(in, x - 1, y + d, width, height));
    gy += weight * (pixel(in, x + d, y + 1, width, height) - pixel(in, x + d, y - 1, width, height));
  }
  out[y * width + x] = min(abs(gx) + abs(gy), 255);
}

extern "C" __global__ void box_blur(const unsigned char* in, unsigned char* out, int width, int height) {
  PLACE;
  int sum = 0;
  for (int dy = -2; dy <= 2; ++dy)
    for (int dx = -2; dx <= 2; ++dx) sum += pixel(in, x + dx, y + dy, width, height);
  out[y * width + x] = (sum + 12) / 25;
}

extern "C" __global__ void bilinear(const unsigned char* in, unsigned char* out, int width, int height, int in_width,
                                    int in_height) {
  PLACE;
  const int fx = x * in_width * 256 / width, fy = y * in_height * 256 / height, ix = fx >> 8, iy = fy >> 8;
  const int u = fx & 255, v = fy & 255;
  const int top = pixel(in, ix, iy, in_width, in_height) * (256 - u) + pixel(in, ix + 1, iy, in_width, in_height) * u;
  const int low = pixel(in, ix, iy + 1, in_width, in_height) * (256 - u) + pixel(in, ix + 1, iy + 1, in_width, in_height) * u;
  out[y * width + x] = (top * (256 - v) + low * v + 32768) >> 16;
}

__device__ void order(unsigned char& a, unsigned char& b) {
  const unsigned char low = min(a, b);
  b = max(a, b), a = low;
}

extern "C" __global__ void median(const unsigned char* in, unsigned char* out, int width, int height) {
  PLACE;
  unsigned char v[9];
#pragma unroll
  for (int k = 0; k < 9; ++k) v[k] = pixel(in, x + k % 3 - 1, y + k / 3 - 1, width, height);
#pragma unroll
  for (int round = 0; round < 9; ++round)
#pragma unroll
    for (int k = round % 2; k + 1 < 9; k += 2) order(v[k], v[k + 1]);
  out[y * width + x] = v[4];
}

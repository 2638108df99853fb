// The kernels of the emulator's benchmark. kernels.ptx is what nvcc -ptx -arch=compute_80 makes of them.
constexpr int tile = 16, threads = 256, bins = 256;

extern "C" __global__ void vector_add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

extern "C" __global__ void looped_fma(const float* in, float* out, float a, float b, int turns) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i];
  for (int k = 0; k < turns; ++k) x = fmaf(x, a, b);
  out[i] = x;
}

extern "C" __global__ void tiled_sgemm(const float* a, const float* b, float* c, int n) {
  __shared__ float as[tile][tile], bs[tile][tile];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * tile + ty, column = blockIdx.x * tile + tx;
  float sum = 0;
  for (int at = 0; at < n; at += tile) {
    as[ty][tx] = a[row * n + at + tx];
    bs[ty][tx] = b[(at + ty) * n + column];
    __syncthreads();
    for (int k = 0; k < tile; ++k) sum = fmaf(as[ty][k], bs[k][tx], sum);
    __syncthreads();
  }
  c[row * n + column] = sum;
}

extern "C" __global__ void tree_reduction(const float* in, float* out) {
  __shared__ float part[threads];
  const int t = threadIdx.x;
  part[t] = in[blockIdx.x * threads + t];
  __syncthreads();
  for (int step = threads / 2; step > 0; step /= 2) {
    if (t < step) part[t] += part[t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}

extern "C" __global__ void softmax(const float* in, float* out, int columns) {
  __shared__ float part[threads];
  const int t = threadIdx.x;
  const float* const row = in + blockIdx.x * columns;
  float most = -INFINITY;
  for (int c = t; c < columns; c += threads) most = fmaxf(most, row[c]);
  part[t] = most;
  __syncthreads();
  for (int step = threads / 2; step > 0; step /= 2) {
    if (t < step) part[t] = fmaxf(part[t], part[t + step]);
    __syncthreads();
  }
  most = part[0];
  __syncthreads();
  float sum = 0;
  for (int c = t; c < columns; c += threads) sum += expf(row[c] - most);
  part[t] = sum;
  __syncthreads();
  for (int step = threads / 2; step > 0; step /= 2) {
    if (t < step) part[t] += part[t + step];
    __syncthreads();
  }
  const float scale = 1 / part[0];
  for (int c = t; c < columns; c += threads) out[blockIdx.x * columns + c] = expf(row[c] - most) * scale;
}

extern "C" __global__ void histogram(const unsigned* in, unsigned* out, int n) {
  __shared__ unsigned counts[bins];
  counts[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&counts[in[i] & (bins - 1)], 1u);
  __syncthreads();
  atomicAdd(&out[threadIdx.x], counts[threadIdx.x]);
}

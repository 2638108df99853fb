// Sum, minimum and maximum by shuffles within warps, then across the warps of a block, then by one atomic each.
template <class T, class F>
__device__ T over_warp(T v, F f) {
  for (int step = 16; step > 0; step /= 2) v = f(v, __shfl_down_sync(0xffffffffu, v, step));
  return v;
}

template <class T, class F>
__device__ T over_block(T v, T neutral, F f) {
  __shared__ T parts[32];
  v = over_warp(v, f);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = v;
  __syncthreads();
  v = threadIdx.x < blockDim.x / 32 ? parts[threadIdx.x] : neutral;
  if (threadIdx.x < 32) v = over_warp(v, f);
  __syncthreads();
  return v;
}

extern "C" __global__ void reduction_shuffle(const int* x, unsigned long long* sum, int* least, int* most, unsigned n) {
  long long total = 0;
  int low = 0x7fffffff, high = -0x7fffffff - 1;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    total += x[i], low = min(low, x[i]), high = max(high, x[i]);
  }
  total = over_block(total, 0ll, [](long long a, long long b) { return a + b; });
  low = over_block(low, 0x7fffffff, [](int a, int b) { return min(a, b); });
  high = over_block(high, -0x7fffffff - 1, [](int a, int b) { return max(a, b); });
  if (threadIdx.x == 0) {
    atomicAdd(sum, (unsigned long long)total);
    atomicMin(least, low);
    atomicMax(most, high);
  }
}

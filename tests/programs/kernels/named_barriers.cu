// Warps in two roles: producers fill two buffers and arrive, consumers wait, by barriers of 128 threads with numbers.
// nvcc: -lineinfo
__device__ void wait(int barrier) { asm volatile("bar.sync %0, 128;" ::"r"(barrier) : "memory"); }
__device__ void arrive(int barrier) { asm volatile("bar.arrive %0, 128;" ::"r"(barrier) : "memory"); }

extern "C" __global__ void named_barriers(const float* x, float* y, int tiles) {
  __shared__ float buffers[2][64];
  const int t = threadIdx.x % 64;
  if (threadIdx.x < 64) {
    for (int k = 0; k < tiles; ++k) {
      wait(3 + k % 2);  // empty
      buffers[k % 2][t] = x[k * 64 + t] * 2;
      arrive(1 + k % 2);  // full
    }
  } else {
    arrive(3), arrive(4);
    for (int k = 0; k < tiles; ++k) {
      wait(1 + k % 2);
      y[k * 64 + t] = buffers[k % 2][63 - t] + 1;
      if (k + 2 < tiles) arrive(3 + k % 2);
    }
  }
}

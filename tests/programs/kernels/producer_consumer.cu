// Blocks in pairs: one fills a slot and raises its flag, the other waits for it and answers; flags with release and acquire.
__device__ unsigned load_acquire(const unsigned* p) {
  unsigned v;
  asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
__device__ void store_release(unsigned* p, unsigned v) {
  asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}

extern "C" __global__ void producer_consumer(unsigned* slots, unsigned* full, unsigned* results, int rounds) {
  const unsigned pair = blockIdx.x / 2, t = threadIdx.x;
  unsigned* slot = slots + pair * blockDim.x;
  unsigned* flag = full + pair;
  unsigned sum = 0;
  for (int r = 0; r < rounds; ++r) {
    if (t == 0)
      while (load_acquire(flag) != 2 * r + blockIdx.x % 2) {}
    __syncthreads();
    if (blockIdx.x % 2 == 0) slot[t] = r * 1000 + t + pair;
    else sum = sum * 3 + slot[t];
    __syncthreads();
    if (t == 0) store_release(flag, 2 * r + blockIdx.x % 2 + 1);
  }
  if (blockIdx.x % 2 == 1) results[pair * blockDim.x + t] = sum;
}

// mbarriers by inline PTX: one warp produces, three consume, a ring of slots with a full and an empty barrier each.
// nvcc: -lineinfo
constexpr int slots = 3;

__device__ unsigned address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void arrive(unsigned long long* b) {
  asm volatile("{\n\t.reg .b64 state;\n\tmbarrier.arrive.shared.b64 state, [%0];\n\t}" ::"r"(address(b)) : "memory");
}
__device__ bool is_past(unsigned long long* b, unsigned parity) {
  unsigned done;
  asm volatile(
      "{\n\t.reg .pred p;\n\tmbarrier.test_wait.parity.shared.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
      : "=r"(done)
      : "r"(address(b)), "r"(parity)
      : "memory");
  return done;
}
__device__ void wait(unsigned long long* b, unsigned parity) {
  while (!is_past(b, parity)) {}
}

extern "C" __global__ void __launch_bounds__(128) mbarrier_rings(const int* x, int* y, int rounds) {
  __shared__ unsigned long long full[slots], empty[slots];
  __shared__ int ring[slots][32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (threadIdx.x == 0) {
    for (int s = 0; s < slots; ++s) {
      asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(address(&full[s])), "r"(32) : "memory");
      asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(address(&empty[s])), "r"(96) : "memory");
    }
  }
  __syncthreads();
  int sum = 0;
  for (int r = 0; r < rounds; ++r) {
    const int s = r % slots, turn = r / slots;
    if (warp == 0) {
      wait(&empty[s], turn & 1 ^ 1);
      ring[s][lane] = x[(blockIdx.x * rounds + r) * 32 + lane];
      arrive(&full[s]);
    } else {
      wait(&full[s], turn & 1);
      sum = sum * 3 + ring[s][(lane + warp) % 32];
      arrive(&empty[s]);
    }
  }
  if (warp > 0) y[blockIdx.x * 96 + threadIdx.x - 32] = sum;
}

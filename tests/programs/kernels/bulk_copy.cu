// cp.async.bulk: a tile comes in under an mbarrier that counts its bytes, is changed, and goes out as a bulk group.
// nvcc: -arch=sm_90 -lineinfo
constexpr int words = 256;

__device__ unsigned address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }

extern "C" __global__ void bulk_copy(const int* x, int* y, int tiles) {
  __shared__ __align__(128) int tile[words];
  __shared__ unsigned long long arrived;
  const int t = threadIdx.x;
  if (t == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address(&arrived)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  for (int k = 0; k < tiles; ++k) {
    const int first = (blockIdx.x * tiles + k) * words;
    if (t == 0) {
      asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address(&arrived)), "r"(words * 4)
                   : "memory");
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                       address(tile)),
                   "l"(__cvta_generic_to_global(x + first)), "r"(words * 4), "r"(address(&arrived))
                   : "memory");
    }
    asm volatile(
        "{\n\t.reg .pred p;\n\tagain:\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n\t@!p bra again;\n\t}" ::"r"(
            address(&arrived)),
        "r"(k & 1)
        : "memory");
    for (int i = t; i < words; i += blockDim.x) tile[i] = tile[i] * 3 + i;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) {
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(y + first)),
                   "r"(address(tile)), "r"(words * 4)
                   : "memory");
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    }
  }
  if (t == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

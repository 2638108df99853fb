// Chunks of `in` come to shared memory by memcpy_async on a cuda::barrier; each block writes their sums per thread.
// nvcc -arch=sm_90 -O3 -ptx barrier_copy.cu
#include <cooperative_groups.h>
#include <cuda/barrier>

#pragma nv_diag_suppress static_var_with_dynamic_init

extern "C" __global__ void barrier_copy(const int* in, int* out, int chunks) {
  using barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ alignas(16) int data[2][256];
  __shared__ barrier bar[2];
  const auto block = cooperative_groups::this_thread_block();
  if (block.thread_rank() == 0)
    for (auto& b : bar) init(&b, block.size());
  block.sync();
  const int* from = in + blockIdx.x * chunks * 256;
  const auto fetch = [&](int k) {
    cuda::memcpy_async(block, data[k % 2], from + k * 256, cuda::aligned_size_t<16>(256 * sizeof(int)), bar[k % 2]);
  };
  fetch(0);
  int sum = 0;
  for (int k = 0; k < chunks; ++k) {
    if (k + 1 < chunks) fetch(k + 1);
    bar[k % 2].arrive_and_wait();
    for (int i = threadIdx.x; i < 256; i += blockDim.x) sum += data[k % 2][i];
    block.sync();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

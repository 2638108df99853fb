// cuda::barrier: arrival and waiting apart, work between them, and threads that drop out.
#include <cuda/barrier>

using barrier = cuda::barrier<cuda::thread_scope_block>;

#pragma nv_diag_suppress static_var_with_dynamic_init

extern "C" __global__ void block_barrier(const int* x, int* y, int rounds) {
  __shared__ barrier here;
  __shared__ int values[2][128];
  const int t = threadIdx.x, n = blockDim.x;
  if (t == 0) init(&here, n);
  __syncthreads();
  int v = x[blockIdx.x * n + t], private_work = 0;
  for (int r = 0; r < rounds; ++r) {
    values[r % 2][t] = v;
    auto token = here.arrive();
    private_work = private_work * 7 + r;
    here.wait(std::move(token));
    v += values[r % 2][(t + r + 1) % n];
  }
  y[blockIdx.x * n + t] = v + private_work;
  if (t % 2) {
    here.arrive_and_drop();
    return;
  }
  here.arrive_and_wait();
  values[0][t / 2] = v;
  here.arrive_and_wait();
  if (t == 0) {
    int sum = 0;
    for (int k = 0; k < n / 2; ++k) sum += values[0][k];
    y[gridDim.x * n + blockIdx.x] = sum;
  }
}

// Copies by a whole block with cooperative groups and with a pipeline of the library, two stages.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

#pragma nv_diag_suppress static_var_with_dynamic_init

extern "C" __global__ void group_copy(const int* x, int* y, int tile_words) {
  extern __shared__ int tile[];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, tile, x + blockIdx.x * tile_words, sizeof(int) * tile_words);
  cg::wait(block);
  for (int i = threadIdx.x; i < tile_words; i += blockDim.x) y[blockIdx.x * tile_words + i] = tile[tile_words - 1 - i];
}

extern "C" __global__ void pipeline_of_block(const int* x, int* sums, int tiles) {
  __shared__ int ring[2][96];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const cg::thread_block block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int sum = 0;
  for (int k = 0, ahead = 0; k < tiles; ++k) {
    for (; ahead < tiles && ahead < k + 2; ++ahead) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, ring[ahead % 2], x + (blockIdx.x * tiles + ahead) * 96, sizeof ring[0], pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum = sum * 5 + ring[k % 2][(threadIdx.x + k) % 96];
    pipe.consumer_release();
  }
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

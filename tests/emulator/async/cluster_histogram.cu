// A histogram spread over the shared memory of a cluster.
// nvcc -arch=sm_90 -O3 -ptx cluster_histogram.cu
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

extern "C" __global__ void cluster_histogram(int* bins, int bins_per_block, const int* in, int n) {
  extern __shared__ int own[];
  const cg::cluster_group cluster = cg::this_cluster();
  const int blocks = static_cast<int>(cluster.dim_blocks().x);
  for (int i = threadIdx.x; i < bins_per_block; i += blockDim.x) own[i] = 0;
  cluster.sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    const int bin = min(max(in[i], 0), bins_per_block * blocks - 1);
    int* const owner = cluster.map_shared_rank(own, bin / bins_per_block);
    atomicAdd(owner + bin % bins_per_block, 1);
  }
  cluster.sync();
  int* const to = bins + cluster.block_rank() * bins_per_block;
  for (int i = threadIdx.x; i < bins_per_block; i += blockDim.x) atomicAdd(to + i, own[i]);
}

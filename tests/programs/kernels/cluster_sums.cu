// A cluster of four blocks: each block's sum is read by the others from its shared memory; a histogram spread over them.
// nvcc: -arch=sm_90 -lineinfo
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

extern "C" __global__ void __cluster_dims__(4, 1, 1) cluster_sums(const unsigned* x, unsigned* sums, unsigned* bins) {
  __shared__ unsigned sum, own_bins[16];
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) sum = 0;
  if (threadIdx.x < 16) own_bins[threadIdx.x] = 0;
  cluster.sync();
  const unsigned v = x[blockIdx.x * blockDim.x + threadIdx.x];
  atomicAdd(&sum, v);
  const unsigned bin = v % 64;
  atomicAdd(cluster.map_shared_rank(own_bins, bin / 16) + bin % 16, 1u);
  cluster.sync();
  if (threadIdx.x == 0) {
    unsigned total = 0;
    for (unsigned r = 0; r < cluster.num_blocks(); ++r) total = total * 3 + *cluster.map_shared_rank(&sum, r);
    sums[blockIdx.x] = total;
  }
  if (threadIdx.x < 16) bins[blockIdx.x * 16 + threadIdx.x] = own_bins[threadIdx.x];
  cluster.sync();
}

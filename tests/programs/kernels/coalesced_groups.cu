// Cooperative groups of the lanes that are here: an aggregated counter, lanes of one label, a branch.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__device__ unsigned counted(unsigned* counter) {
  const auto here = cg::coalesced_threads();
  unsigned base = 0;
  if (here.thread_rank() == 0) base = atomicAdd(counter, here.size());
  return here.shfl(base, 0) + here.thread_rank();
}

extern "C" __global__ void coalesced_groups(const int* x, unsigned* counter, unsigned* places, int* sums, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const int v = i < n ? x[i] : -1;
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto same = cg::labeled_partition(warp, i < n ? v & 3 : 4);
  const int sum = cg::reduce(same, v, cg::plus<int>());
  if (i >= n) return;
  places[i] = v % 3 == 0 ? counted(counter) : ~0u;
  sums[i] = sum;
  if (v & 1) {
    const auto odd = cg::coalesced_threads();
    sums[i] += 1000000 * (int)odd.size();
  }
}

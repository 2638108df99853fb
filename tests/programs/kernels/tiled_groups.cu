// Cooperative groups: tiles of 8 and 32 lanes with their collectives, sums and prefix sums of the library.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

extern "C" __global__ void tiled_groups(const int* x, int* out) {
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const auto tile = cg::tiled_partition<8>(warp);
  const int i = blockIdx.x * block.size() + block.thread_rank(), v = x[i];
  int* to = out + 9 * i;
  to[0] = cg::reduce(tile, v, cg::plus<int>()), to[1] = cg::reduce(warp, v, cg::greater<int>());
  to[2] = cg::inclusive_scan(tile, v), to[3] = cg::exclusive_scan(warp, v, cg::bit_xor<int>());
  to[4] = tile.shfl(v, 3), to[5] = tile.ballot(v & 1), to[6] = tile.any(v == 3);
  to[7] = (int)(tile.meta_group_rank() * 100 + tile.thread_rank()), to[8] = (int)tile.match_any(v & 3);
  block.sync();
}

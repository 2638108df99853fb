// Blocks of a cluster: barriers between them, memory of each other, multicast copies.
#include "planted_tile_faults.hpp"

#include <tg/dsl/bulk/bulk_copy.hpp>
#include <tg/dsl/cluster/cluster.hpp>

namespace planted_tiles {

namespace {

using namespace tg::literals;
using pair = tg::clustered_block<tg::block_t<64>, tg::cluster_t<2>>;

/// What can go wrong when two blocks read each other's tile.
enum class sharing {
  right,
  no_meeting,
  relaxed_meeting,
  block_barrier,
  left_early,
  not_waited,
  waited_twice,
  divergent,
  no_such_block,
  odd_grid
};

verdict shared(sharing how) {
  return judge_lanes<pair>(
      [how](auto block, auto x, auto y, auto...) {
        using s = sharing;
        const auto tile = tg::shared<float>(tg::shape<64>);
        const auto t = block.thread.x;
        const auto cluster = block.cluster();
        tile(t) = x(block.global_index());
        if (how == s::block_barrier) block.sync();
        else if (how == s::divergent) tg::if_(t < 32u, [&] { cluster.sync(); });
        else if (how == s::not_waited) (void)cluster.arrive();
        else if (how == s::relaxed_meeting) cluster.template arrive<tg::order::relaxed>().wait();
        else if (how != s::no_meeting) cluster.sync();
        if (how == s::no_such_block) y(block.global_index()) = cluster.tile(tile, 2u)(63_c - t);
        else y(block.global_index()) = cluster.tile(tile, cluster.rank ^ 1u)(63_c - t);
        if (how != s::left_early) {
          const auto come = cluster.arrive();
          come.wait();
          if (how == s::waited_twice) come.wait();
        }
      },
      how == sharing::odd_grid ? 3 : 2);
}

/// What can go wrong when a block writes to the tile of the other, or to its own while the other reads it.
enum class writing { right, own_too_early, other_too_early, both };

verdict written(writing how) {
  return judge_lanes<pair>(
      [how](auto block, auto x, auto y, auto...) {
        using w = writing;
        const auto tile = tg::shared<float>(tg::shape<64>);
        const auto t = block.thread.x;
        const auto cluster = block.cluster();
        const auto other = cluster.tile(tile, cluster.rank ^ 1u);
        tile(t) = x(block.global_index());
        cluster.sync();
        const auto read = tg::let(how == w::other_too_early ? tile(t).get() : other(63_c - t).get());
        if (how == w::right) cluster.sync();
        if (how == w::other_too_early || how == w::both) other(63_c - t) = 5.0f;
        if (how != w::other_too_early) tile(t) = 7.0f;
        cluster.sync();
        y(block.global_index()) = read + tile(t);
      },
      2);
}

/// A copy to both blocks of which one does not expect its bytes, or whose barrier may not be made yet.
enum class casting { right, not_expected, not_met, not_waited };

verdict cast_to_both(casting how) {
  return judge_lanes<pair>(
      [how](auto block, auto x, auto y, auto...) {
        using c = casting;
        const auto tile = tg::shared<float>(tg::shape<64>);
        const auto t = block.thread.x;
        auto full = tg::mbarriers<1>(block, 1);
        const auto cluster = block.cluster();
        if (how == c::not_met) block.sync();
        else cluster.sync();
        auto phase = full.phase(0_c);
        tg::if_(t == 0u, [&] {
          const auto copy = tg::bulk_copy(tile, x, 0u).multicast(3u);
          tg::if_(cluster.rank == 0u, [&] { full.expect(0, copy); }).else_([&] {
            if (how == c::not_expected) full.arrive(0);
            else full.expect(0, tg::from_another_block(copy));
          });
        });
        if (how != c::not_waited) (void)phase.wait();
        else cluster.sync();
        y(block.global_index()) = tile(63_c - t);
        cluster.sync();
      },
      2);
}

template <class How> std::function<verdict(bool)> either(verdict (*f)(How), How faulty) {
  return [=](bool is_faulty) { return f(is_faulty ? faulty : How::right); };
}

}  // namespace

std::vector<fault> faults_of_clusters() {
  using s = sharing;
  using c = casting;
  return {
      {"cluster: no barrier in front of a read of the other block", either(shared, s::no_meeting)},
      {"cluster: a barrier of the block in front of such a read", either(shared, s::block_barrier)},
      {"cluster: an arrival that releases nothing in front of such a read", either(shared, s::relaxed_meeting)},
      {"cluster: a tile that is written while the other block reads it", either(written, writing::own_too_early)},
      {"cluster: a write to the other block while it reads its tile", either(written, writing::other_too_early)},
      {"cluster: two blocks that write to one tile", either(written, writing::both)},
      {"cluster: a block that ends while the other reads it", either(shared, s::left_early)},
      {"cluster: an arrival without a wait", either(shared, s::not_waited)},
      {"cluster: a wait without an arrival", either(shared, s::waited_twice)},
      {"cluster: a barrier that half of a block comes to", either(shared, s::divergent)},
      {"cluster: a block that is not there", either(shared, s::no_such_block)},
      {"cluster: a grid that is no multiple", either(shared, s::odd_grid)},
      {"multicast: bytes that a block does not expect", either(cast_to_both, c::not_expected)},
      {"multicast: barriers that may not be made yet", either(cast_to_both, c::not_met)},
      {"multicast: no wait", either(cast_to_both, c::not_waited)},
  };
}

}  // namespace planted_tiles

// Copies of threads (cp.async) and bulk stores: waits, groups, barriers and fences that are missing or in the wrong place.
#include "planted_tile_faults.hpp"

#include <tg/dsl/bulk/bulk_copy.hpp>
#include <tg/dsl/bulk/bulk_store.hpp>
#include <tg/dsl/bulk/mbarriers.hpp>

namespace planted_tiles {

namespace {

using namespace tg::literals;
using block64 = tg::block_t<64>;

/// Where a wait for a copy of all threads can stand.
enum class copying { right, no_wait, wait_for_older, commit_before_copy, no_barrier, wait_behind_read, wait_of_one_warp };

verdict copied(copying how) {
  return judge_lanes<block64>([how](auto block, auto x, auto y, auto...) {
    const auto tile = tg::shared<float>(tg::shape<2, 64>);
    const auto t = block.thread.x;
    tg::async_groups<> start;
    if (how == copying::commit_before_copy) {
      auto empty = start.commit();
      tg::async_copy(tile(0_c, t), x(t));
      (void)empty.wait();
      block.sync();
    } else {
      tg::async_copy(tile(0_c, t), x(t));
      auto one = start.commit();
      tg::async_copy(tile(1_c, t), x(t + 64_c));
      auto two = one.commit();
      tg::var<float> early = 0.0f;
      if (how == copying::wait_behind_read) early = tile(1_c, t);
      if (how == copying::wait_for_older) (void)two.wait(1_c);
      else if (how == copying::wait_of_one_warp) tg::if_(t < 32u, [&] { (void)two.wait(); });
      else if (how != copying::no_wait) (void)two.wait();
      if (how != copying::no_barrier) block.sync();
      y(t + 64_c) = early + tile(1_c, 63_c - t);
    }
    y(t) = tile(0_c, 63_c - t);
  });
}

/// A stage of a ring is copied to again: behind the barrier that all pass who read it, or not.
verdict refilled(bool meets) {
  return judge_lanes<block64>([meets](auto block, auto x, auto y, auto, auto n) {
    const auto tile = tg::shared<float>(tg::shape<64>);
    const auto t = block.thread.x;
    tg::var<float> sum = 0.0f;
    tg::for_(tg::range(n), [&](auto k) {
      tg::async_groups<> start;
      tg::async_copy(tile(t), x(k * 64_c + t));
      (void)start.commit().wait();
      block.sync();
      sum += tile(63_c - t);
      if (meets) block.sync();
    });
    y(t) = sum;
  });
}

/// What can go wrong around a bulk store of a tile that threads wrote.
enum class storing { right, no_fence, fence_behind_barrier, no_barrier, no_wait, read_of_array, fence_of_storing_thread };

verdict stored(storing how) {
  return judge_lanes<block64>([how](auto block, auto x, auto y, auto...) {
    const auto tile = tg::shared<float>(tg::shape<64>);
    const auto t = block.thread.x;
    tile(t) = x(t);
    const bool fences_in_front =
        how != storing::no_fence && how != storing::fence_behind_barrier && how != storing::fence_of_storing_thread;
    if (fences_in_front) tg::fence_async_proxy();
    if (how != storing::no_barrier) block.sync();
    if (how == storing::fence_behind_barrier) tg::fence_async_proxy();
    tg::if_(t == 0u, [&] {
      if (how == storing::fence_of_storing_thread) tg::fence_async_proxy();
      tg::bulk_store(y, 0_c, tile);
      auto group = tg::bulk_groups<>().commit();
      if (how == storing::read_of_array) (void)group.wait_read();
      else if (how != storing::no_wait) group.wait();
    });
    block.sync();
    if (how == storing::no_wait) tile(t) = 0.0f;
    else tile(t) = y(63_c - t);
  });
}

verdict left_twice(bool is_faulty) {
  return judge_lanes<block64>([is_faulty](auto block, auto x, auto y, auto...) {
    const auto tile = tg::shared<float>(tg::shape<64>);
    tg::async_groups<> start;
    tg::async_copy(tile(block.thread.x), x(block.thread.x));
    auto one = start.commit();
    (void)one.wait();
    if (is_faulty) (void)one.wait();
    y(block.thread.x) = tile(block.thread.x);
  });
}

verdict stored_twice(bool is_faulty) {
  return judge_lanes<block64>([is_faulty](auto block, auto x, auto y, auto...) {
    const auto tile = tg::shared<float>(tg::shape<64>);
    tile(block.thread.x) = x(block.thread.x);
    tg::fence_async_proxy();
    block.sync();
    tg::if_(block.thread.x == 0u, [&] {
      tg::bulk_groups<> start;
      tg::bulk_store(y, 0_c, tile);
      start.commit().wait();
      if (is_faulty) start.commit().wait();
    });
  });
}

/// What can go wrong around a bulk copy of what threads wrote to a buffer.
enum class loading { right, no_fence, fence_of_tiles, fence_behind_barrier };

verdict loaded(loading how) {
  return judge_lanes<block64>([how](auto block, auto x, auto y, auto u, auto...) {
    const auto tile = tg::shared<float>(tg::shape<64>);
    const auto t = block.thread.x;
    auto full = tg::mbarriers<1>(block, 1);
    y(t) = x(t);
    if (how == loading::right) tg::fence_async_proxy_of_buffers();
    if (how == loading::fence_of_tiles) tg::fence_async_proxy();
    block.sync();
    if (how == loading::fence_behind_barrier) tg::fence_async_proxy_of_buffers();
    auto phase = full.phase(0_c);
    tg::if_(t == 0u, [&] { full.expect(0, tg::bulk_copy(tile, y, 0_c)); });
    (void)phase.wait();
    u(t) = tg::cast<unsigned>(tile(63_c - t));
  });
}

/// Two blocks store their tiles to one place, or each to its own.
verdict stored_by_blocks(bool is_faulty) {
  return judge_lanes<block64>(
      [is_faulty](auto block, auto x, auto y, auto...) {
        const auto tile = tg::shared<float>(tg::shape<64>);
        tile(block.thread.x) = x(block.global_index());
        tg::fence_async_proxy();
        block.sync();
        tg::if_(block.thread.x == 0u, [&] {
          if (is_faulty) tg::bulk_store(y, block.index.x * 32_c, tile);
          else tg::bulk_store(y, block.index.x * 64_c, tile);
          tg::bulk_groups<>().commit().wait();
        });
      },
      2);
}

template <class How> std::function<verdict(bool)> either(verdict (*f)(How), How faulty, How right) {
  return [=](bool is_faulty) { return f(is_faulty ? faulty : right); };
}

}  // namespace

std::vector<fault> faults_of_copies() {
  using c = copying;
  using l = loading;
  using s = storing;
  return {
      {"cp.async: no wait", either(copied, c::no_wait, c::right)},
      {"cp.async: a wait that leaves the group under way that is read", either(copied, c::wait_for_older, c::right)},
      {"cp.async: a commit in front of its copies", either(copied, c::commit_before_copy, c::right)},
      {"cp.async: no barrier behind the wait", either(copied, c::no_barrier, c::right)},
      {"cp.async: a read in front of the wait", either(copied, c::wait_behind_read, c::right)},
      {"cp.async: a wait of one warp of two", either(copied, c::wait_of_one_warp, c::right)},
      {"cp.async: a stage that is filled while others read it", either(refilled, false, true)},
      {"cp.async: a state of the groups that is left twice", left_twice},
      {"bulk copy: no fence.proxy.async", either(loaded, l::no_fence, l::right)},
      {"bulk copy: fence.proxy.async of shared memory", either(loaded, l::fence_of_tiles, l::right)},
      {"bulk copy: fence.proxy.async behind the barrier", either(loaded, l::fence_behind_barrier, l::right)},
      {"bulk store: no fence.proxy.async", either(stored, s::no_fence, s::right)},
      {"bulk store: fence.proxy.async behind the barrier", either(stored, s::fence_behind_barrier, s::right)},
      {"bulk store: fence.proxy.async of the storing thread alone", either(stored, s::fence_of_storing_thread, s::right)},
      {"bulk store: no barrier", either(stored, s::no_barrier, s::right)},
      {"bulk store: a tile that is written again before it was read", either(stored, s::no_wait, s::right)},
      {"bulk store: an array that is read before it was written", either(stored, s::read_of_array, s::right)},
      {"bulk store: a state of the groups that is left twice", stored_twice},
      {"bulk store: blocks whose parts overlap", stored_by_blocks},
  };
}

}  // namespace planted_tiles

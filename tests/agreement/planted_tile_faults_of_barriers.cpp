// mbarriers, the copies that they count, rings and roles: wrong phases, bytes, arrivals and stages.
#include "planted_tile_faults.hpp"

#include <tg/dsl/bulk/bulk_copy.hpp>
#include <tg/dsl/bulk/bulk_ring.hpp>
#include <tg/dsl/cluster/roles.hpp>

namespace planted_tiles {

namespace {

using namespace tg::literals;
using block64 = tg::block_t<64>;

/// What can go wrong around one copy that an mbarrier counts.
enum class filling {
  right,
  no_wait,
  wait_behind_read,
  wait_of_one_warp,
  no_meeting,
  two_waits,
  too_many_arrivals,
  phase_given_twice,
  no_such_barrier
};

verdict filled(filling how) {
  return judge_lanes<block64>([how](auto block, auto x, auto y, auto...) {
    const auto tile = tg::shared<float>(tg::shape<64>);
    const auto t = block.thread.x;
    auto full = tg::mbarriers<1>(block, how == filling::too_many_arrivals ? 2 : 1);
    if (how != filling::no_meeting) block.sync();
    auto phase = full.phase(0_c);
    tg::if_(t == 0u, [&] { full.expect(how == filling::no_such_barrier ? 1 : 0, tg::bulk_copy(tile, x, 0u)); });
    tg::var<float> early = 0.0f;
    if (how == filling::wait_behind_read) early = tile(63_c - t);
    if (how == filling::no_wait) block.sync();
    else if (how == filling::wait_of_one_warp) tg::if_(t < 32u, [&] { (void)phase.wait(); });
    else (void)phase.wait();
    if (how == filling::two_waits) (void)phase.wait();
    if (how == filling::phase_given_twice) (void)full.phase(0_c).wait();
    y(t) = early + tile(63_c - t);
  });
}

/// The parts of a copy by hand: so many bytes expected of its 256, and the parity that is waited for.
verdict counted(unsigned bytes, int parity) {
  return judge_lanes<block64>([=](auto block, auto x, auto y, auto...) {
    const auto tile = tg::shared<float>(tg::shape<64>);
    const auto full = tg::mbarriers<1>(block, 1);
    block.sync();
    const auto where = tg::source_location::current();
    tg::if_(block.thread.x == 0u, [&] {
      tg::detail::arrive_at(full.address(0, where), bytes, false, where);
      tg::bulk_copy(tile, x, 0u).begin(full.address(0, where), where);
    });
    tg::detail::wait_at(full.address(0, where), tg::ptx::operand::integer(parity), false, where);
    y(block.thread.x) = tile(block.thread.x ^ 1u);
  });
}

/// A phase that begins outside of a loop and is waited for in it.
verdict phase_in_loop(bool is_faulty) {
  return judge_lanes<block64>([is_faulty](auto block, auto, auto y, auto...) {
    auto full = tg::mbarriers<1>(block, 64_c);
    block.sync();
    auto phase = full.phase(0_c);
    full.arrive(0);
    if (is_faulty) tg::for_(tg::range(3u), [&](auto) { (void)phase.wait(); });
    else (void)phase.wait();
    y(block.thread.x) = 1.0f;
  });
}

/// A tile that is filled for the second time, while others may still read it.
verdict filled_again(bool is_faulty) {
  return judge_lanes<block64>([is_faulty](auto block, auto x, auto y, auto...) {
    const auto tile = tg::shared<float>(tg::shape<64>);
    const auto t = block.thread.x;
    auto full = tg::mbarriers<1>(block, 1);
    block.sync();
    auto phase = full.phase(0_c);
    tg::if_(t == 0u, [&] { full.expect(0, tg::bulk_copy(tile, x, 0u)); });
    auto next = phase.wait();
    const auto first = tg::let(tile(63_c - t));
    if (!is_faulty) block.sync();
    tg::if_(t == 0u, [&] { full.expect(0, tg::bulk_copy(tile, x, 64u)); });
    (void)next.wait();
    y(t) = first + tile(63_c - t);
  });
}

/// What can go wrong between a warp that fills and two that read.
enum class handing { right, not_emptied, not_released, not_waited, other_half };

verdict handed(handing how) {
  return judge_lanes<tg::block_t<96>>([how](auto block, auto x, auto y, auto...) {
    const auto tile = tg::shared<float>(tg::shape<64>);
    auto full = tg::mbarriers<1>(block, 1);
    auto empty = tg::mbarriers<1>(block, 64_c);
    block.sync();
    tg::roles(block, tg::warp_role<2>([&](auto consumer) {
                auto first = full.phase(0_c);
                auto second = first.wait();
                y(consumer.thread) = tile(63_c - consumer.thread);
                if (how == handing::other_half) tg::if_(consumer.thread < 32u, [&] { empty.arrive(0); });
                else if (how != handing::not_released) empty.arrive(0);
                if (how != handing::not_waited) (void)second.wait();
                y(consumer.thread + 64_c) = tile(63_c - consumer.thread);
              }),
              tg::warp_role<1>([&](auto producer) {
                tg::if_(producer.thread == 0u, [&] {
                  full.expect(0, tg::bulk_copy(tile, x, 0u));
                  if (how != handing::not_emptied) (void)empty.phase(0_c).wait();
                  full.expect(0, tg::bulk_copy(tile, x, 64u));
                });
              }));
  });
}

/// What can go wrong with a ring.
enum class ring_use { right, no_meeting, not_released, read_behind_release, producer_in_loop, fewer_rounds };

verdict rung(ring_use how) {
  return judge_lanes<tg::block_t<96>>([how](auto block, auto x, auto y, auto...) {
    const auto ring = tg::bulk_ring<2>(block, tg::consumer_threads<64>);
    const auto tiles = tg::stages<float, 2>(tg::shape<1, 64>);
    if (how != ring_use::no_meeting) block.sync();
    tg::roles(block, tg::warp_role<2>([&](auto consumer) {
                auto reads = ring.consumer();
                tg::var<float> sum = 0.0f;
                tg::for_(tg::range(6u), [&](auto) {
                  const auto stage = reads.next();
                  if (how == ring_use::read_behind_release) stage.release();
                  sum += tiles.read(stage)(0_c, 63_c - consumer.thread);
                  if (how != ring_use::not_released && how != ring_use::read_behind_release) stage.release();
                });
                y(consumer.thread) = sum;
              }),
              tg::warp_role<1>([&](auto producer) {
                tg::if_(producer.thread == 0u, [&] {
                  const auto fill = [&](auto& fills, auto k) {
                    const auto stage = fills.next();
                    stage.fill(tg::bulk_copy(tiles.fill(stage.index), x, k * 64_c));
                  };
                  if (how == ring_use::producer_in_loop) {
                    tg::for_(tg::range(6u), [&](auto k) {
                      auto fills = ring.producer();
                      fill(fills, k);
                    });
                  } else {
                    auto fills = ring.producer();
                    tg::for_(tg::range(how == ring_use::fewer_rounds ? 5u : 6u), [&](auto k) { fill(fills, k); });
                  }
                });
              }));
  });
}

/// Roles that hand a tile over at a barrier with a number.
enum class meeting { right, none, too_few, of_the_block };

verdict met(meeting how) {
  return judge_lanes<block64>([how](auto block, auto x, auto y, auto...) {
    const auto tile = tg::shared<float>(tg::shape<32>);
    const auto full = tg::barrier<1>(block, 64_c);
    tg::roles(block, tg::warp_role<1>([&](auto role) {
                tile(role.thread) = x(role.thread);
                if (how == meeting::of_the_block) block.sync();
                else if (how != meeting::none && how != meeting::too_few) full.arrive();
              }),
              tg::warp_role<1>([&](auto role) {
                if (how == meeting::of_the_block) block.sync();
                else if (how != meeting::none) full.sync();
                y(role.thread) = tile(31_c - role.thread);
              }));
  });
}

template <class How> std::function<verdict(bool)> either(verdict (*f)(How), How faulty, How right) {
  return [=](bool is_faulty) { return f(is_faulty ? faulty : right); };
}

}  // namespace

std::vector<fault> faults_of_barriers() {
  using f = filling;
  using h = handing;
  using r = ring_use;
  using m = meeting;
  const auto parts = [](unsigned bytes, int parity) {
    return [=](bool is_faulty) { return is_faulty ? counted(bytes, parity) : counted(256, 0); };
  };
  return {
      {"mbarrier: no wait", either(filled, f::no_wait, f::right)},
      {"mbarrier: a read in front of the wait", either(filled, f::wait_behind_read, f::right)},
      {"mbarrier: a wait of one warp of two", either(filled, f::wait_of_one_warp, f::right)},
      {"mbarrier: used before the threads met behind its making", either(filled, f::no_meeting, f::right)},
      {"mbarrier: a phase that is waited for twice", either(filled, f::two_waits, f::right)},
      {"mbarrier: a phase that is asked for twice", either(filled, f::phase_given_twice, f::right)},
      {"mbarrier: more arrivals than threads that arrive", either(filled, f::too_many_arrivals, f::right)},
      {"mbarrier: a number past the last", either(filled, f::no_such_barrier, f::right)},
      {"mbarrier: a phase that a loop waits for again", phase_in_loop},
      {"mbarrier: the parity of the phase before", parts(256, 1)},
      {"mbarrier: fewer bytes expected than copied", parts(128, 0)},
      {"mbarrier: more bytes expected than copied", parts(512, 0)},
      {"mbarrier: a tile that is filled while others read it", filled_again},
      {"roles: a stage that is filled before it was emptied", either(handed, h::not_emptied, h::right)},
      {"roles: a stage that is not handed back", either(handed, h::not_released, h::right)},
      {"roles: a stage that half of its readers hand back", either(handed, h::other_half, h::right)},
      {"roles: a second filling that is not waited for", either(handed, h::not_waited, h::right)},
      {"ring: used before the threads met behind its making", either(rung, r::no_meeting, r::right)},
      {"ring: stages that are not handed back", either(rung, r::not_released, r::right)},
      {"ring: a stage that is read behind its release", either(rung, r::read_behind_release, r::right)},
      {"ring: a producer that begins anew in each round", either(rung, r::producer_in_loop, r::right)},
      {"ring: fewer rounds of the producer than of its readers", either(rung, r::fewer_rounds, r::right)},
      {"roles: a tile that is handed over without a barrier", either(met, m::none, m::right)},
      {"roles: a barrier that one of two roles arrives at", either(met, m::too_few, m::right)},
      {"roles: a barrier of the block within a role", either(met, m::of_the_block, m::right)},
  };
}

}  // namespace planted_tiles

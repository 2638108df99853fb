// Products of warpgroups (wgmma): operands that are not there or change, registers that are touched under way.
#include "planted_tile_faults.hpp"

#include <tg/dsl/wgmma/wgmma.hpp>

namespace planted_tiles {

namespace {

using namespace tg::literals;
using group = tg::block_t<128>;

/// What can go wrong around one product.
enum class multiplying {
  right,
  no_fence,
  fence_behind_barrier,
  no_barrier,
  operand_changed,
  half_of_operand,
  sum_read,
  sum_written,
  sum_read_in_branch,
  left_for_next_turn,
  without_numbers,
  older_group
};

verdict multiplied(multiplying how) {
  return judge_lanes<group>([how](auto block, auto x, auto y, auto, auto) {
    using m = multiplying;
    const auto tile = tg::shared<unsigned>(tg::shape<2, 64, 4>);
    const auto t = block.thread.x;
    tg::unroll<4>([&](auto k) {
      if (how == m::half_of_operand && k >= 2) return;
      const auto i = t + k * 128_c;
      tile(i / 256_c, i / 4_c % 64_c, i % 4_c, tg::allow<tg::TG201>("a test")) = tg::bit_cast<unsigned>(x(t));
    });
    if (how != m::no_fence && how != m::fence_behind_barrier) tg::fence_async_proxy();
    if (how != m::no_barrier) block.sync();
    if (how == m::fence_behind_barrier) tg::fence_async_proxy();
    const auto operand = tg::k_major<tg::tf32>(tile);
    tg::group_accumulator<64, 64, float> sum = 0.0f;
    if (how == m::without_numbers) {
      tg::group_accumulator<64, 64, float> none;
      sum = tg::wgmma(std::move(none), operand, operand).wait();
    } else if (how == m::left_for_next_turn) {
      tg::for_(tg::range(3u), [&](auto k) {
        y(k * 128_c + t) = sum(0);
        (void)tg::wgmma(std::move(sum), operand, operand);
      });
      tg::detail::wait_for_products(0, tg::source_location::current());
    } else if (how == m::older_group) {
      tg::group_accumulator<64, 64, float> other = 0.0f;
      auto two = tg::wgmma(std::move(sum), operand, operand).then(std::move(other), operand, operand);
      auto half = two.wait(1_c);
      y(t + 128_c) = half.sums(0) + other(0);
      y(t) = half.groups.wait()(0);
      return;
    } else {
      auto flight = tg::wgmma(std::move(sum), operand, operand);
      if (how == m::operand_changed) tile(0_c, t / 4_c, t % 4_c) = 1u;
      if (how == m::sum_read) y(t + 128_c) = sum(1);
      if (how == m::sum_written) sum(1) = 2.0f;
      if (how == m::sum_read_in_branch) tg::if_(t < 64u, [&] { y(t + 128_c) = sum(1); });
      sum = flight.wait();
    }
    y(t) = sum(0);
  });
}

std::function<verdict(bool)> either(multiplying faulty) {
  return [=](bool is_faulty) { return multiplied(is_faulty ? faulty : multiplying::right); };
}

}  // namespace

std::vector<fault> faults_of_products() {
  using m = multiplying;
  return {
      {"wgmma: no fence.proxy.async", either(m::no_fence)},
      {"wgmma: fence.proxy.async behind the barrier", either(m::fence_behind_barrier)},
      {"wgmma: no barrier", either(m::no_barrier)},
      {"wgmma: an operand that changes under way", either(m::operand_changed)},
      {"wgmma: an operand of which one half is there", either(m::half_of_operand)},
      {"wgmma: a sum that is read under way", either(m::sum_read)},
      {"wgmma: a sum that is written under way", either(m::sum_written)},
      {"wgmma: a sum that a branch reads under way", either(m::sum_read_in_branch)},
      {"wgmma: a sum that the next turn reads under way", either(m::left_for_next_turn)},
      {"wgmma: sums without numbers", either(m::without_numbers)},
      {"wgmma: a wait that leaves the group under way that is read", either(m::older_group)},
  };
}

}  // namespace planted_tiles

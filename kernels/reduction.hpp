// The sum of n floats: 16-byte loads, as many elements per thread as the grid leaves it, one atomic per block.
// `reduction_steps.hpp` has the steps that lead here.
#pragma once

#include <tg/dsl.hpp>
#include <tg/dsl/block/block_reduce.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// Threads per block.
inline constexpr unsigned reduction_threads = 256;

/// Adds the sum of n elements to total(0). Launch with any number of blocks.
/// Requires: n + 4 * threads of the grid < 2^32.
inline constexpr auto sum =
    tg::kernel<"sum">(tg::block<256>, [](auto block, tg::in<float> x, tg::inout<float> total, tg::scalar<unsigned> n) {
      const auto threads = tg::let(block.grid.x * block.size.x);
      tg::var<float> own = 0.0f;
      tg::for_(tg::range(block.global_index(), n / 4_c, threads), [&](auto i) {
        const auto v = x.vec<4>(i * 4_c);
        own += (v(0_c) + v(1_c)) + (v(2_c) + v(3_c));
      });
      const auto rest = n / 4_c * 4_c + block.global_index();
      tg::if_(rest < n, [&] { own += x(rest); });
      const auto all = block_sum(block, own);
      tg::if_(block.thread.x == 0, [&] { tg::atomic_add(total(0_c), all); });
    });

}  // namespace tg::kernels

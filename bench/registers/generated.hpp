// Kernels of several sizes, made in the language: more or fewer values at once, in loops and without, with a bound that
// makes ptxas spill and without.
#pragma once

#include <tg/dsl.hpp>
#include <tg/dsl/kernel/launch_bounds.hpp>

namespace bench {

using tg::literals::operator""_c;

/// N elements that are all kept until their sum is known, by which each is multiplied.
template <class T, int N, auto Block>
inline constexpr auto kept = tg::kernel<"kept">(Block, [](auto block, tg::inout<T> y) {
  const auto i = tg::let(block.global_index());
  tg::regs<T, N> v = T(0);
  tg::var<T> sum = T(0);
  tg::unroll<N>([&](auto k) {
    v(k) = y(i + k * 128_c);
    sum += v(k);
  });
  tg::unroll<N>([&](auto k) { y(i + k * 128_c) = v(k) * sum; });
});

/// N sums along a loop whose length is a parameter.
template <class T, int N>
inline constexpr auto sums =
    tg::kernel<"sums">(tg::block<128>, [](auto block, tg::in<T> x, tg::out<T> y, tg::scalar<unsigned> n) {
      const auto i = tg::let(block.global_index());
      tg::regs<T, N> sum = T(0);
      tg::for_(tg::range(i, n, 4096_c), [&](auto j) { tg::unroll<N>([&](auto k) { sum(k) += x(j + k * 128_c); }); });
      tg::unroll<N>([&](auto k) { y(i + k * 128_c) = sum(k); });
    });

/// Calls `visit` with each kernel.
template <class Visit> void each_generated(const Visit& visit) {
  visit(kept<float, 4, tg::block<128>>), visit(kept<float, 16, tg::block<128>>), visit(kept<float, 48, tg::block<128>>);
  visit(kept<double, 4, tg::block<128>>), visit(kept<double, 16, tg::block<128>>), visit(kept<unsigned, 32, tg::block<128>>);
  visit(kept<float, 48, tg::block<128> | tg::max_registers<32>>),
      visit(kept<double, 32, tg::block<128> | tg::max_registers<40>>);
  visit(sums<float, 1>), visit(sums<float, 4>), visit(sums<float, 16>), visit(sums<float, 32>);
  visit(sums<double, 4>), visit(sums<double, 16>), visit(sums<unsigned, 8>);
}

}  // namespace bench

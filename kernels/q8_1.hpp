// Q8_1: groups of 32 numbers as bytes, with a scale d and the sum s = d * (q0 + ... + q31) of what the bytes say.
//
//   number j of a group    d * q(j), where d = largest magnitude / 127, rounded to f16 after the bytes are made
//
// The bytes of all groups lie side by side in one buffer and the pairs (d, s) in another: a group of 36 bytes would
// start at multiples of 4 only, and these are read 16 bytes at a time.
//
// kernels/reference/q8_1.hpp has the same layout again on purpose: it judges this kernel.
#pragma once

#include <tg/dsl.hpp>
#include <tg/dsl/value/dot.hpp>
#include <tg/dsl/vector/vec_cast.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

using literals::operator""_c;

namespace detail {

/// `f` over the eight neighbouring lanes that hold a group, in each of them.
template <class Warp, class T, class F> tg::value<T> over_group(const Warp& warp, tg::value<T> own, F f) {
  tg::var<T> all = own;
  for (int distance = 4; distance > 0; distance /= 2) all = f(all.get(), warp.shuffle_xor(all, distance));
  return all;
}

}  // namespace detail

/// x in groups: number i becomes q(i), and group g has ds(g) = (d, s). Four numbers per thread: launch with
/// `tg::cover(n / 4)`.
/// Requires: finite numbers below 8.3e6 in magnitude, whose sums over groups are below 65504: d and s are f16.
inline constexpr auto quantize_q8_1 =
    tg::kernel<"quantize_q8_1">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<std::int8_t> q, tg::out<tg::f16x2> ds,
                                                   tg::scalar<unsigned, tg::multiple_of<32>> n) {
      const auto warp = block.warp();
      const auto first = tg::let(block.global_index() * 4_c);
      const auto v = x.vec<4>(tg::min(first, n - 4_c)).get();
      const auto sizes = tg::map([](auto number) { return tg::abs(number); }, v);
      const auto own = tg::max(tg::max(sizes(0_c), sizes(1_c)), tg::max(sizes(2_c), sizes(3_c)));
      const auto largest = detail::over_group(warp, own, [](auto a, auto b) { return tg::max(a, b); });
      const auto d = largest / 127.0f;
      const auto inverse = tg::select(d > 0.0f, 1.0f / d, d);
      const auto bytes = tg::cast<std::int8_t>(tg::map([&](auto number) { return tg::round_even(number * inverse); }, v));
      const auto total = detail::over_group(warp, tg::dp4a(tg::bit_cast<int>(bytes)(0_c), 0x01010101, 0),
                                            [](auto a, auto b) { return a + b; });
      tg::if_(first < n, [&] { q.vec<4>(first) = bytes; });
      tg::if_(first < n && first % 32_c == 0, [&] { ds(first / 32_c) = tg::pack<tg::f16>(d, d * tg::cast<float>(total)); });
    });

}  // namespace tg::kernels

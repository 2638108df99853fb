// Floats become blocks of Q4_0, Q8_0 or Q8_1, to the bit as ggml's reference makes them.
//
// A warp takes 256 numbers in two runs of 128: eight lanes have a block. Blocks come together in shared memory, as they are to
// lie, and go out 16 bytes a lane.
//
//   q8_0, q8_1    d = largest magnitude / 127, q = round(x / d), halves away from zero
//   q4_0          d = m / -8, where m is the first number of the largest magnitude; q = trunc(x / d + 8.5), at most 15
#pragma once

#include <type_traits>

#include <kernels/block_parts.hpp>
#include <kernels/q8_1.hpp>
#include <tg/dsl/math/rounded.hpp>

namespace tg::kernels {

namespace detail {

inline constexpr auto few_meet =
    tg::allow<tg::TG201>("two lanes of a warp meet in a bank; blocks side by side leave as vectors");

inline constexpr auto last_vector = tg::allow<tg::TG202>("where the last blocks are no whole vector");

/// Four numbers of a block as bytes, one word for each lane of the block, and what the block begins with.
struct quantised_four {
  tg::value<unsigned> bytes;
  tg::value<float> d;
};

/// 1 / d, and 0 for 0.
inline tg::value<float> inverse_of(const tg::value<float>& d) { return tg::select(d == 0.0f, d, 1.0f / d); }

template <class Warp, class T> tg::value<T> largest_of_group(const Warp& warp, const tg::value<T>& own) {
  return over_group(warp, own, [](const auto& a, const auto& b) { return tg::max(a, b); });
}

/// Signed bytes of a scale.
template <class Warp> quantised_four quantise_signed(const Warp& warp, const tg::vec<float, 4>& x) {
  const auto sizes = tg::map([](const auto& number) { return tg::abs(number); }, x);
  const tg::value<float> own = tg::max(tg::max(sizes(0_c), sizes(1_c)), tg::max(sizes(2_c), sizes(3_c)));
  const tg::value<float> d = largest_of_group(warp, own) / 127.0f;
  const auto inverse = inverse_of(d);
  const auto q = tg::map([&](const auto& number) { return tg::round(tg::rounded_mul(number, inverse)); }, x);
  return {tg::bit_cast<unsigned>(tg::cast<std::int8_t>(q))(0_c), d};
}

/// Four bits each, of which 8 stands for 0.
template <class Warp> quantised_four quantise_four_bits(const Warp& warp, const tg::vec<float, 4>& x) {
  const auto sizes = tg::map([](const auto& number) { return tg::abs(number); }, x);
  const tg::value<float> own = tg::max(tg::max(sizes(0_c), sizes(1_c)), tg::max(sizes(2_c), sizes(3_c)));
  const auto largest = largest_of_group(warp, own);
  // Place of the first number that has this size; in the lowest bit whether it is below 0, which -0 is not.
  tg::var<unsigned> first = 64u;
  tg::unroll<4>([&](auto j) {
    constexpr constant<3 - j.value> k;
    const auto place = (warp.lane % 8_c * 4_c + k) * 2_c + tg::cast<unsigned>(x(k) < 0.0f);
    first = tg::select(sizes(k) == largest, place, first.get());
  });
  const tg::value<unsigned> own_first = first.get();
  const auto found = over_group(warp, own_first, [](const auto& a, const auto& b) { return tg::min(a, b); });
  const tg::value<float> d = tg::select((found & 1u) != 0u, largest, -largest) * 0.125f;
  const auto inverse = inverse_of(d);
  const auto q = [&](auto k) {
    const auto number = tg::rounded_add(tg::rounded_mul(x(k), inverse), 8.5f);
    return tg::min(tg::cast<unsigned>(number), 15u) << (8u * unsigned(k.value));
  };
  return {q(0_c) | q(1_c) | q(2_c) | q(3_c), d};
}

}  // namespace detail

/// Blocks of n numbers x, as 16-bit numbers: y has `block_numbers<Format>(n)`. Format: q4_0, q8_0, q8_1. Launch with
/// `quantize_grid(n)`.
/// Requires: n is a multiple of 32 and not 0, n + 2048 < 2^32; finite numbers; the largest of a block is 0 or at least 2^-119,
/// and its scale, with q8_1 also the sum of the block, is below 65504. Units: scales in float, rounded to f16 after the quants
/// are made. Cost: reads and writes each byte once. Source: ggml's quantize_row_q4_0_ref, quantize_row_q8_0_ref and
/// quantize_row_q8_1_ref; the package gguf judges the tests.
template <class Format>
inline constexpr auto quantize = tg::kernel<"quantize">(
    tg::block<256>, [](auto block, tg::in<float> x, tg::out<std::uint16_t> y, tg::scalar<unsigned, tg::multiple_of<32>> n) {
      using parts = detail::block_parts<Format>;
      constexpr bool is_four_bits = Format::bytes == 18, has_sum = Format::head == 2;
      static_assert(std::is_same_v<Format, q4_0> || std::is_same_v<Format, q8_0> || std::is_same_v<Format, q8_1>,
                    "quantize: q4_0, q8_0 or q8_1");
      constexpr constant<parts::numbers> numbers;
      constexpr constant<parts::span> span;
      const auto warp = block.warp();
      const auto lane = warp.lane;
      const auto part = tg::let(block.index.x * 8_c + warp.index);
      const auto all = tg::shared<std::uint16_t>(tg::shape<8, parts::span>);
      const auto own = tg::row(all, warp.index);
      tg::unroll<2>([&](auto run) {
        const auto in_part = tg::let(lane * 4_c + run * 128_c);
        const auto first = tg::let(in_part / 32_c * numbers);
        const auto read = x.template vec<4>(tg::min(part * 256_c + in_part, n - 4_c)).get();
        const auto four = [&] {
          if constexpr (is_four_bits) return detail::quantise_four_bits(warp, read);
          else return detail::quantise_signed(warp, read);
        }();
        const auto put = [&](const auto& at, const auto& word) {
          const auto both = tg::bit_cast<std::uint16_t>(tg::make_vec(word));
          tg::unroll<2>([&](auto k) { own(first + constant<Format::head>{} + at * 2_c + k, detail::few_meet) = both(k); });
        };
        if constexpr (is_four_bits) {
          const auto upper = warp.shuffle_xor(four.bytes, 4);
          tg::if_(lane % 8_c < 4u, [&] { put(lane % 4_c, four.bytes | upper << 4u); });
        } else {
          put(lane % 8_c, four.bytes);
        }
        const auto bits = [](const auto& number) { return tg::bit_cast<std::uint16_t>(tg::cast<tg::f16>(number)); };
        if constexpr (has_sum) {
          const tg::value<int> sum = tg::dp4a(tg::bit_cast<int>(four.bytes), 0x01010101, 0);
          const auto total = detail::over_group(warp, sum, [](const auto& a, const auto& b) { return a + b; });
          tg::if_(lane % 8_c == 0u, [&] { own(first + 1_c) = bits(tg::cast<float>(total) * four.d); });
        }
        tg::if_(lane % 8_c == 0u, [&] { own(first) = bits(four.d); });
      });
      warp.sync();
      // Eight blocks are whole vectors of 16 bytes, as many as a block has numbers.
      const auto end = tg::let(n / 32_c * numbers);
      const auto at = tg::let(lane * 8_c);
      const auto to = tg::let(part * span + at);
      tg::if_(lane < numbers, [&] {
        tg::if_(to + 8_c <= end, [&] { y.template vec<8>(to) = own.template vec<8>(at); }).else_([&] {
          tg::unroll<8>(
              [&](auto k) { tg::if_(to + k < end, [&] { y(to + k, detail::last_vector) = own(at + k, detail::few_meet); }); });
        });
      });
    });

/// Blocks for `quantize`.
constexpr auto quantize_grid(unsigned n, source_location where = source_location::current()) {
  return tg::grid((n + 2047) / 2048, where);
}

}  // namespace tg::kernels

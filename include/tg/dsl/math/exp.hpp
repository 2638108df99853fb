// Exponential functions.
//
// eˣ of a float is 2ⁿ times ex2.approx of what x·log₂e has beyond n, which has errors of its own: the same steps as in CUDA's
// expf, of which NVIDIA's table of errors says 1 ulp. The others are made of sums and products that are the same on every
// machine. Source: minimax polynomials from a Remez exchange with 60 digits on the reduced interval, for the relative error of
// the result; coefficients are rounded one after another and the rest fitted again. Errors were measured against a wider
// format, over all floats and over 10⁷ doubles of all magnitudes.
#pragma once

#include <concepts>

#include <tg/base/fixed_array.hpp>
#include <tg/dsl/math/approx.hpp>
#include <tg/dsl/math/float_operand.hpp>
#include <tg/dsl/math/polynomial.hpp>
#include <tg/dsl/math/rounded.hpp>
#include <tg/dsl/value/bit_cast.hpp>

namespace tg {

namespace detail {

template <class T> struct exponential;

template <> struct exponential<float> {
  using word = int;
  static constexpr int mantissa_bits = 23, bias = 127;
  static constexpr float to_integer = 0x1.8p23f;  // x + to_integer has x rounded to an integer in its low bits
  static constexpr float log2e = 0x1.715476p0f, ln2_high = 0x1.62e43p-1f, ln2_low = -0x1.05c61p-29f;
  static constexpr float greatest = 89.0f, least2 = -151.0f, greatest2 = 129.0f;  // beyond: 0 and inf
  // (eʳ − 1 − r) / r² for |r| ≤ ln 2 / 2
  static constexpr fixed_array rest = {0x1.fffffcp-2f, 0x1.55548cp-3f, 0x1.555858p-5f, 0x1.123de8p-7f, 0x1.6ac818p-10f};
  // (2ʳ − 1) / r for |r| ≤ 1/2
  static constexpr fixed_array rest2 = {0x1.62e430p-1f, 0x1.ebfb94p-3f,  0x1.c6af9ep-5f,
                                        0x1.3b6816p-7f, 0x1.5ef4ecp-10f, 0x1.1799a0p-13f};
};

template <> struct exponential<double> {
  using word = long long;
  static constexpr int mantissa_bits = 52, bias = 1023;
  static constexpr double to_integer = 0x1.8p52;
  static constexpr double log2e = 0x1.71547652b82fep0, ln2_high = 0x1.62e42fefa39efp-1, ln2_low = 0x1.abc9e3b39803fp-56;
  static constexpr double least = -746.0, greatest = 710.0, least2 = -1076.0, greatest2 = 1025.0;
  static constexpr fixed_array rest = {
      0x1.000000000000ap-1,  0x1.55555555554c1p-3,  0x1.55555555504bbp-5,  0x1.11111111372ddp-7,  0x1.6c16c185281b2p-10,
      0x1.a01a00d12230ep-13, 0x1.a01997090e8fdp-16, 0x1.71dff76bde7bap-19, 0x1.28b0741954642p-22, 0x1.ac23d0db6a045p-26};
  static constexpr fixed_array rest2 = {0x1.62e42fefa39efp-1,  0x1.ebfbdff82c5b3p-3,  0x1.c6b08d704a26fp-5,
                                        0x1.3b2ab6fb9dab4p-7,  0x1.5d87fe7845965p-10, 0x1.43091316811d2p-13,
                                        0x1.ffcbfe65d60eep-17, 0x1.62bfb493a7fc1p-20, 0x1.b5208476b4c43p-24,
                                        0x1.e63baceb7c8fcp-28, 0x1.f0e452d062e7dp-32};
};

/// 2ⁿ · p where `shifted` is n + to_integer. Two factors, because 2ⁿ alone may be no normal number; only the second
/// product rounds.
template <class T> value<T> scale(const value<T>& p, const value<T>& shifted) {
  using c = exponential<T>;
  using word = typename c::word;
  static constexpr word zero = word{c::bias + c::mantissa_bits} << c::mantissa_bits | word{1} << (c::mantissa_bits - 1);
  const auto power_of_two = [](const auto& n) { return tg::bit_cast<T>((n + word{c::bias}) << c::mantissa_bits); };
  const auto n = tg::bit_cast<word>(shifted) - zero;
  const auto half = n >> 1;
  return tg::rounded_mul(tg::rounded_mul(p, power_of_two(half)), power_of_two(n - half));
}

/// eˣ = 2ᶠ · 2ⁿ with f between −1/2 and 1/2, further out where 2ⁿ would be no normal number.
template <class T> struct power_parts { value<T> f, power; };

template <std::same_as<float> T> power_parts<T> split_power(const value<T>& x) {
  constexpr float log2e = 0x1.715476p0f, log2e_rest = 0x1.4ae0cp-26f;
  constexpr float range = 253, first = -126;  // 2⁻¹²⁶ to 2¹²⁷
  constexpr float to_integer = 0x1.8p23f, bias = 127;
  const auto number = [](float c) { return to_value<T>(c).operand; };
  const auto fused = [&](const value<T>& a, float b, const ptx::operand& c) {
    return emit_value<T, index::data>(ptx::opcode::fma, {ptx::token::rn, ptx::token::f32}, {a.operand, number(b), c});
  };
  const value<T> place = emit_value<T, index::data>(ptx::opcode::fma, {ptx::token::rn, ptx::token::sat, ptx::token::f32},
                                                    {x.operand, number(log2e / range), number(-first / range)});
  const value<T> shifted = fused(place, range, number(to_integer + bias + first));  // n + bias in its low bits
  const auto minus_n = tg::rounded_sub(to_integer + bias, shifted);
  const auto f = fused(x, log2e_rest, fused(x, log2e, minus_n.operand).operand);
  return {f, tg::bit_cast<T>(tg::bit_cast<int>(shifted) << 23)};
}

}  // namespace detail

/// eˣ; 0 and inf beyond the range, subnormal results included. Requires: float or double.
/// Units: measured within 1.02 ulp for float, 1.01 ulp for double; for float, an ex2.approx that is off by 1 ulp makes it 2.2.
/// Cost: 10 instructions, one of them ex2.approx.ftz, 32 for double; no branch.
template <device_value X> auto exp(const X& x) {
  const auto given = detail::float_operand(x);
  using T = device_type_of<decltype(given)>;
  if constexpr (std::is_same_v<T, float>) {
    const detail::power_parts<T> parts = detail::split_power(given);
    return tg::rounded_mul(approx::exp2_ftz(parts.f), parts.power);
  } else {
    using c = detail::exponential<T>;
    const auto within = tg::clamp(given, c::least, c::greatest);
    const auto shifted = tg::fma(within, c::log2e, c::to_integer);
    const auto n = tg::rounded_sub(shifted, c::to_integer);
    const auto r = tg::fma(n, -c::ln2_low, tg::fma(n, -c::ln2_high, within));
    const auto p = tg::fma(tg::rounded_mul(r, r), tg::polynomial(r, c::rest), r);
    return tg::select(given != given, given, detail::scale(tg::rounded_add(p, T{1}), shifted));
  }
}

/// 2ˣ; exact for integers, 0 and inf beyond the range. Requires: float or double.
/// Units: measured within 0.92 ulp for float, 0.81 ulp for double. Cost: 25 instructions, 30 for double; no branch.
template <device_value X> auto exp2(const X& x) {
  const auto given = detail::float_operand(x);
  using T = device_type_of<decltype(given)>;
  using c = detail::exponential<T>;
  const auto within = tg::clamp(given, c::least2, c::greatest2);
  const auto shifted = tg::rounded_add(within, c::to_integer);
  const auto r = tg::rounded_sub(within, tg::rounded_sub(shifted, c::to_integer));
  const auto p = tg::fma(r, tg::polynomial(r, c::rest2), T{1});
  return tg::select(given != given, given, detail::scale(p, shifted));
}

}  // namespace tg

// An angle as a number of right angles and a rest.
//
// Up to a limit the right angles are subtracted in three parts, of which the first cancels exactly (Cody and Waite);
// beyond, the angle's integer mantissa is multiplied by those bits of 2/π that do not only make full turns (Payne and
// Hanek). Float needs 96 of them, double 192:
//
//   2/π = 0.1010001011111001100000110110111001…
//              └───── 3 words ─────┘            starts where mantissa · bit is worth two right angles
//   product:  qq.fffffffffffff…                 two bits of quarter turns, then the fraction
#pragma once

#include <concepts>

#include <tg/base/fixed_array.hpp>
#include <tg/base/limits.hpp>
#include <tg/dsl/math/math.hpp>
#include <tg/dsl/math/rounded.hpp>
#include <tg/dsl/value/bit_cast.hpp>
#include <tg/dsl/value/bits.hpp>
#include <tg/dsl/value/constant_table.hpp>
#include <tg/dsl/value/var.hpp>

namespace tg::detail {

template <class T> struct right_angle;

template <> struct right_angle<float> {
  using word = unsigned;
  static constexpr float limit = 0x1p17f, to_integer = 0x1.8p23f, inverse = 0x1.45f306p-1f;
  static constexpr fixed_array parts = {0x1.921fb6p0f, -0x1.777a5cp-25f, -0x1.ee59dap-50f};
  static constexpr int mantissa_bits = 23, first_exponent = 120;  // the exponent field at which the window starts at bit 0
  static constexpr const char* name = "two_over_pi_f32";
  static constexpr fixed_array<word, 8> two_over_pi = {0,          0xa2f9836e, 0x4e441529, 0xfc2757d1,
                                                       0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab};
};

template <> struct right_angle<double> {
  using word = unsigned long long;
  static constexpr double limit = 0x1p30, to_integer = 0x1.8p52, inverse = 0x1.45f306dc9c883p-1;
  static constexpr fixed_array parts = {0x1.921fb54442d18p0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110};
  static constexpr int mantissa_bits = 52, first_exponent = 1013;
  static constexpr const char* name = "two_over_pi_f64";
  static constexpr fixed_array<word, 20> two_over_pi = {0,
                                                        0xa2f9836e4e441529,
                                                        0xfc2757d1f534ddc0,
                                                        0xdb6295993c439041,
                                                        0xfe5163abdebbc561,
                                                        0xb7246e3a424dd2e0,
                                                        0x06492eea09d1921c,
                                                        0xfe1deb1cb129a73e,
                                                        0xe88235f52ebb4484,
                                                        0xe99c7026b45f7e41,
                                                        0x3991d639835339f4,
                                                        0x9c845f8bbdf9283b,
                                                        0x1ff897ffde05980f,
                                                        0xef2f118b5a0a6d1f,
                                                        0x6d367ecf27cb09b7,
                                                        0x4f463f669e5fea2d,
                                                        0x7527bac7ebe5f17b,
                                                        0x3d0739f78a5292ea,
                                                        0x6bfb5fb11f8d5d08,
                                                        0x56033046fc7b6bab};
};

/// quarter right angles and `rest` in ±π/4; only the lowest two bits of `quarter` matter.
template <class T> struct quarter_turns {
  value<unsigned> quarter;
  value<T> rest;
};

/// Fixed-point quarter turns: two bits, then the fraction, in 64 bits and 64 more below.
template <class Word> struct fixed_turns { value<unsigned long long> high, low; };

/// mantissa · window for a 24-bit mantissa and 3 words of 32 bits.
template <std::same_as<unsigned> Word>
fixed_turns<Word> turns(const value<Word>& mantissa, const fixed_array<value<Word>, 3>& w) {
  using wide = unsigned long long;
  const auto m = tg::cast<wide>(mantissa);
  const auto product = [&](int k) { return m * tg::cast<wide>(w[static_cast<std::size_t>(k)]); };
  return {(product(0) << 32) + product(1) + (product(2) >> 32), value<wide>{immediate<wide>(0)}};
}

/// mantissa · window for a 53-bit mantissa and 3 words of 64 bits.
template <std::same_as<unsigned long long> Word>
fixed_turns<Word> turns(const value<Word>& m, const fixed_array<value<Word>, 3>& w) {
  const auto middle = m * w[1];
  const auto low = middle + tg::mul_high(m, w[2]);
  return {m * w[0] + tg::mul_high(m, w[1]) + tg::cast<unsigned long long>(tg::cast<unsigned>(low < middle)), low};
}

template <class T> quarter_turns<T> reduce_huge(const value<T>& x) {
  using c = right_angle<T>;
  using word = typename c::word;
  constexpr unsigned width = sizeof(word) * 8;
  const auto bits = tg::bit_cast<word>(x);
  const auto mantissa = (bits & ((word{1} << c::mantissa_bits) - 1)) | (word{1} << c::mantissa_bits);
  const auto skipped = tg::cast<unsigned>(bits >> c::mantissa_bits) - unsigned{c::first_exponent};
  const auto words = look_up<word, 4>(c::name, c::two_over_pi, value<unsigned>{(skipped / width).operand});
  const auto shift = skipped % width;
  // Two shifts, because a shift by the full width is what an offset of 0 would need.
  const auto joined = [&](std::size_t k) {
    return value<word>{((words[k] << shift) | ((words[k + 1] >> 1) >> (width - 1u - shift))).operand};
  };
  const fixed_turns<word> t = turns<word>(value<word>{mantissa.operand}, {joined(0), joined(1), joined(2)});

  // A fraction of a half and more belongs to the next quarter; from there it is negative.
  const auto quarter = tg::cast<unsigned>((t.high + (1ull << 61)) >> 62);
  const auto high = (t.high << 2) | (t.low >> 62);
  const auto flip = tg::cast<unsigned long long>(tg::cast<long long>(high) >> 63);
  const auto magnitude = high ^ flip;
  const auto fraction = tg::cast<T>(magnitude);
  auto lost = tg::cast<T>(tg::cast<long long>(magnitude - tg::cast<unsigned long long>(fraction)));
  if constexpr (sizeof(T) == 8) lost.operand = tg::fma(tg::cast<T>((t.low << 2) ^ flip), T(0x1p-64), lost).operand;
  constexpr T unit_high = c::parts[0] * T(0x1p-64), unit_low = c::parts[1] * T(0x1p-64);
  const auto rest = tg::fma(fraction, unit_high, tg::fma(fraction, unit_low, tg::rounded_mul(lost, unit_high)));
  return {quarter, tg::select(flip != 0ull, -rest, rest)};
}

/// The quarter turns of x ≥ 0; the rest of inf and NaN is NaN.
template <class T> quarter_turns<T> reduce(const value<T>& x) {
  using c = right_angle<T>;
  const auto shifted = tg::fma(x, c::inverse, c::to_integer);
  const auto n = tg::rounded_sub(shifted, c::to_integer);
  const source_location kernel_line;  // unknown, so that the line of the kernel stays
  var<T> rest(tg::fma(n, -c::parts[2], tg::fma(n, -c::parts[1], tg::fma(n, -c::parts[0], x))), kernel_line);
  var<unsigned> quarter(tg::cast<unsigned>(tg::bit_cast<typename c::word>(shifted)), kernel_line);
  tg::if_(
      x >= c::limit && x < infinity<T>,
      [&] {
        const auto huge = reduce_huge(x);
        rest = huge.rest;
        quarter = huge.quarter;
      },
      kernel_line);
  return {quarter.get(), rest.get()};
}

}  // namespace tg::detail

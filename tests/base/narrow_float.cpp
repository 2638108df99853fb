#include <tg/base/narrow_float.hpp>

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <type_traits>

#include "../emulator/conformance/number.hpp"

namespace {

using conformance::direction;
using conformance::format;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr tg::f16 nan(std::numeric_limits<double>::quiet_NaN());

// Constants of the compiler.
static_assert(tg::f16(1.0).bits == 0x3c00 && tg::f16(-2.0).bits == 0xc000 && tg::f16(65504.0).bits == 0x7bff);
static_assert(tg::f16(65519.9).bits == 0x7bff && tg::f16(65520.0).bits == 0x7c00 && tg::f16(-infinity).bits == 0xfc00);
static_assert(tg::f16(0x1p-24).bits == 1 && tg::f16(0x1p-25).bits == 0 && tg::f16(0x1.000002p-25).bits == 1);
static_assert(tg::f16(0x1.002p0).bits == 0x3c00 && tg::f16(0x1.006p0).bits == 0x3c02, "halves go to even");
static_assert(tg::bf16(1.0).bits == 0x3f80 && tg::tf32(1.0).bits == 0x3f800000);
static_assert(tg::tf32(0x1.002p0).bits == 0x3f802000, "halves go away from zero");
static_assert(tg::f8e4m3(448.0).bits == 0x7e && tg::f8e4m3(1e9).bits == 0x7e && tg::f8e4m3(-infinity).bits == 0xfe);
static_assert(tg::f8e5m2(1e9).bits == 0x7b && tg::f8e5m2(infinity).bits == 0x7b);
static_assert(static_cast<float>(tg::f8e5m2::from_bits(0x7c)) == std::numeric_limits<float>::infinity());
static_assert(tg::f16(0.0) == tg::f16(-0.0) && !(nan == nan));
static_assert(tg::f16x2{tg::f16(1), tg::f16(2)} == std::bit_cast<tg::f16x2>(0x40003c00u));

// Nothing is silent.
static_assert(!std::is_convertible_v<float, tg::f16> && !std::is_convertible_v<tg::f16, float>);
static_assert(!std::is_convertible_v<tg::f16, tg::bf16> && !std::is_convertible_v<tg::f16, double>);

template <class T> inline constexpr bool is_plain = std::is_trivial_v<T> && std::is_standard_layout_v<T>;
static_assert(is_plain<tg::f16> && is_plain<tg::f8e4m3> && is_plain<tg::tf32> && is_plain<tg::bf16x2>);
static_assert(sizeof(tg::f16) == 2 && sizeof(tg::tf32) == 4 && sizeof(tg::f8e5m2) == 1 && alignof(tg::f16x2) == 4);

/// What the format of a T is, and what of an integer is the number itself.
template <class T> struct reference {
  const format& own;
  direction how = direction::nearest_even;
  int unused = 0;
  bool saturates = false;

  std::uint64_t narrow(double x) const {
    const auto n = conformance::from_bits(conformance::f64, std::bit_cast<std::uint64_t>(x));
    if (n.is_nan()) return ((own.canonical_nan + 1) << unused) - 1;
    const std::uint64_t sign = n.negative ? own.sign() : 0;
    const std::uint64_t found = conformance::to_bits(own, n, how) & (own.sign() - 1);
    return (sign | (saturates && found > own.largest() ? own.largest() : found)) << unused;
  }
  double widen(std::uint64_t bits) const {
    const auto n = conformance::from_bits(own, bits >> unused);
    return std::bit_cast<double>(conformance::to_bits(conformance::f64, n));
  }
};

template <class T> void check(const reference<T>& want) {
  using bits = decltype(T::bits);
  std::mt19937_64 random(7);
  int wrong = 0;
  const auto try_number = [&](double x) {
    if (T(x).bits == want.narrow(x)) return;
    if (++wrong <= 3) CHECK_MESSAGE(T(x).bits == want.narrow(x), x);
  };
  // Every number of the type, the middle to the next one, and what is next to that.
  for (std::uint64_t k = 0; k < 0x10000; ++k) {
    const auto b = static_cast<bits>(sizeof(bits) == 4 ? random() << want.unused : k);
    const double x = want.widen(b);
    const auto own = static_cast<double>(T::from_bits(b));
    if (std::isnan(x) ? !std::isnan(own) : std::bit_cast<std::uint64_t>(own) != std::bit_cast<std::uint64_t>(x))
      if (++wrong <= 3) CHECK_MESSAGE(own == x, b);
    if (std::isnan(x)) continue;
    CHECK_MESSAGE((T(x).bits == b || std::isinf(x)), b);
    const double middle = (x + want.widen(static_cast<bits>(b + (bits{1} << want.unused)))) / 2;
    for (const double y : {middle, std::nextafter(middle, infinity), std::nextafter(middle, -infinity)}) try_number(y);
  }
  for (int k = 0; k < 200000; ++k) {
    try_number(std::bit_cast<double>(random()));
    try_number(std::bit_cast<float>(static_cast<std::uint32_t>(random())));
    try_number(std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 80) - 120));
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("narrow floats round once, as an evaluation in whole numbers says") {
  check<tg::f16>({conformance::f16});
  check<tg::bf16>({conformance::bf16});
  check<tg::f8e4m3>({conformance::e4m3, direction::nearest_even, 0, true});
  check<tg::f8e5m2>({conformance::e5m2, direction::nearest_even, 0, true});
}

TEST_CASE("tf32 lies in the upper bits of a float and rounds halves away from zero") {
  check<tg::tf32>({conformance::tf32, direction::nearest_away, 13});
}

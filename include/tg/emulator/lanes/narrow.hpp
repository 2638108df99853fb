// Floats of 19, 16 and 8 bits: rounding to them in the direction that is set, and widening. Included once per vector
// unit, inside its namespace and target.
#include <tg/emulator/lanes/floating.hpp>

/// A sign, `Exponent` and `Fraction` bits. Without infinities the highest exponent counts, and only all ones are NaN.
template <int Exponent, int Fraction, bool HasInfinity = true> struct small_float {
  static constexpr bool has_infinity = HasInfinity;
  static constexpr int fraction = Fraction, width = 1 + Exponent + Fraction;
  static constexpr int bias = (1 << (Exponent - 1)) - 1;
  static constexpr int lowest = 1 - bias;                                         // exponent of the least normal
  static constexpr int highest = (1 << Exponent) - (HasInfinity ? 2 : 1) - bias;  // of the largest
  static constexpr uint32_t sign = uint32_t{1} << (width - 1);
  static constexpr uint32_t nan = sign - 1;
  static constexpr uint32_t infinity = HasInfinity ? nan >> Fraction << Fraction : nan;
};
using half = small_float<5, 10>;
using bfloat = small_float<8, 7>;
using tensor_float = small_float<8, 10>;
using e4m3 = small_float<4, 3, false>;
using e5m2 = small_float<5, 2>;

/// `a` as F. Past the largest: infinity, or the largest where the direction says so. NaN becomes the NaN of all ones.
/// Adding 2^52 (2^23 for float) of its sign to `a` counted in units of its last place rounds it to a whole number.
template <class F, class T> TG_ALWAYS_INLINE uint32_t narrow_from(T a) {
  using traits = float_traits<T>;
  using bits = typename traits::bits;
  constexpr int point = sizeof(T) == 8 ? 52 : 23, bias = sizeof(T) == 8 ? 1023 : 127;
  constexpr bits shifter = (bits{bias} + point) << point;
  constexpr bits least = static_cast<bits>(bias + F::lowest);
  constexpr bits up = bits{bias + 130 - F::highest} << point;  // brings what is too large past the floats
  const bits size = magnitude(a);
  const bits exponent = size >> point < least ? least : size >> point;
  const T unit = from_bits<T>((bits{2 * bias + F::fraction} - exponent) << point);
  const bits count = magnitude(a * unit + from_bits<T>(shifter | (to_bits(a) & traits::sign))) - shifter;
  const bits rounded = ((exponent - least) << F::fraction) + count;
  const bool stays_finite = magnitude(static_cast<float>(a * from_bits<T>(up))) < float_traits<float>::infinity;
  const uint32_t past = F::infinity - (stays_finite ? 1 : 0);
  const uint32_t value = size > traits::infinity                              ? F::nan
                         : size == traits::infinity || rounded >= F::infinity ? past
                                                                              : static_cast<uint32_t>(rounded);
  return size > traits::infinity ? value : value | (to_bits(a) != size ? F::sign : 0);
}

/// The floats have too few exponents to count the last places of a bfloat.
template <class F> TG_ALWAYS_INLINE uint32_t narrow(float a) {
  if constexpr (F::highest < 64) return narrow_from<F>(a);
  else return narrow_from<F>(static_cast<double>(a));
}
template <class F> TG_ALWAYS_INLINE uint32_t narrow(double a) { return narrow_from<F>(a); }

/// Exact; NaN becomes the NaN of all ones where the exponent grows.
template <class F> TG_ALWAYS_INLINE float widen(uint32_t a) {
  if constexpr (F::bias == 127) {
    return from_bits<float>(a << (32 - F::width));
  } else {
    const uint32_t size = a & (F::sign - 1), sign = (a & F::sign) << (32 - F::width);
    const float unit = from_bits<float>(uint32_t{127 + F::lowest - F::fraction} << 23);
    const float value = size >> F::fraction == 0
                            ? static_cast<float>(static_cast<int32_t>(size)) * unit
                            : from_bits<float>((size << (23 - F::fraction)) + (uint32_t{127 - F::bias} << 23));
    if (size > F::infinity || size == F::nan) return from_bits<float>(float_traits<float>::quiet_nan);
    const bool is_infinite = F::has_infinity && size == F::infinity;
    return from_bits<float>(sign | (is_infinite ? float_traits<float>::infinity : to_bits(value)));
  }
}

template <class F> struct narrow_op {
  template <class T> TG_ALWAYS_INLINE static uint32_t of(T a) { return narrow<F>(a); }
};
template <class F> struct widen_op {
  TG_ALWAYS_INLINE static float of(uint32_t a) { return widen<F>(a & (2 * F::sign - 1)); }
};

/// tf32 keeps its place in the upper bits of an f32.
TG_ALWAYS_INLINE uint32_t as_tensor_float(uint32_t bits) {
  return bits == tensor_float::nan ? float_traits<float>::quiet_nan : bits << (32 - tensor_float::width);
}
struct narrow_tensor_op {
  TG_ALWAYS_INLINE static uint32_t of(float a) { return as_tensor_float(narrow<tensor_float>(a)); }
};
/// Ties away from zero.
struct narrow_tensor_away_op {
  TG_ALWAYS_INLINE static uint32_t of(float a) {
    return magnitude(a) > float_traits<float>::infinity ? float_traits<float>::quiet_nan : (to_bits(a) + 0x1000u) & ~0x1fffu;
  }
};

/// Subnormals become zeros of the same sign.
struct flush_half_op {
  TG_ALWAYS_INLINE static uint32_t of(uint32_t a) { return (a & half::infinity) == 0 ? a & half::sign : a; }
};

/// The fma of three numbers of few digits, the product exact, with the last bit of an inexact sum set to one: rounding
/// that again, in any direction, is rounding once. Source: Boldo and Melquiond, "Emulation of FMA and correctly rounded
/// sums: proved algorithms using rounding to odd", 2008.
struct fma_odd_op {
  TG_ALWAYS_INLINE static double of(double a, double b, double c) {
    const double product = a * b, sum = product + c, back = sum - product;
    const double rest = (product - (sum - back)) + (c - back);
    const uint64_t bits = to_bits(sum);
    const bool is_even = (bits & 1) == 0, is_short = (rest > 0) == (sum > 0);
    return from_bits<double>(is_even && (rest > 0 || rest < 0) ? (is_short ? bits + 1 : bits - 1) : bits);
  }
};

/// The 53 bits of a 64-bit integer that an f64 holds, the last set where lower ones are lost.
struct sticky_op {
  template <class T> TG_ALWAYS_INLINE static T of(T a) {
    using bits = typename integer_traits<T>::bits;
    constexpr bits lost = 0x7ff;
    const bits all = static_cast<bits>(a), size = a < 0 ? ~all : all;
    const bool is_long = size >> 53 != 0;
    return static_cast<T>(is_long ? (all & ~lost) | ((all & lost) != 0 ? lost + 1 : 0) : all);
  }
};

// Conversions of one lane. Included once per vector unit, inside its namespace and target.
#include <tg/emulator/lanes/floating.hpp>

/// Integer to integer: extends or truncates; R is as wide as the result's register.
template <class R>
struct extend_op {
  template <class T>
  TG_ALWAYS_INLINE static R of(T a) {
    return static_cast<R>(a);
  }
};

/// Zero is set apart because vector code for unsigned sources may round it to -0 when rounding down.
template <class R>
struct to_float_op {
  template <class T>
  TG_ALWAYS_INLINE static R of(T a) {
    return a == 0 ? R{0} : static_cast<R>(a);
  }
};

/// An integral float to the nearest integer of type R; NaN becomes 0.
template <class R>
struct to_integer_op {
  template <class T>
  TG_ALWAYS_INLINE static R of(T a) {
    constexpr R lowest = integer_traits<R>::is_signed
                             ? static_cast<R>(typename integer_traits<R>::bits{1} << (8 * sizeof(R) - 1))
                             : R{0};
    constexpr R highest = static_cast<R>(~lowest);
    constexpr T past =
        static_cast<T>(uint64_t{1} << (8 * sizeof(R) - 1)) * (integer_traits<R>::is_signed ? T{1} : T{2});
    constexpr T before = integer_traits<R>::is_signed ? -past : T{0};
    return a >= past ? highest : a > before ? static_cast<R>(a) : a != a ? R{0} : lowest;
  }
};

/// To the nearest half, ties to even.
TG_ALWAYS_INLINE uint16_t narrow_to_half(double a) {
  const uint64_t all = to_bits(a);
  const uint16_t sign = static_cast<uint16_t>(all >> 48) & 0x8000;
  const uint64_t size = all & ~float_traits<double>::sign;
  if (size > float_traits<double>::infinity) return 0x7fff;
  if (size >= uint64_t{0x40effe} << 40) return sign | 0x7c00;  // 65520
  const int exponent = static_cast<int>(size >> 52) - 1023;
  if (exponent < -25) return sign;
  const uint64_t significand = (size & ((uint64_t{1} << 52) - 1)) | (uint64_t{1} << 52);
  const int drop = exponent < -14 ? 42 - 14 - exponent : 42;
  const uint64_t kept = significand >> drop, rest = significand & ((uint64_t{1} << drop) - 1),
                 half = uint64_t{1} << (drop - 1);
  const uint64_t rounded = kept + (rest > half || (rest == half && (kept & 1)));
  const uint64_t based = exponent < -14 ? rounded : rounded + (static_cast<uint64_t>(exponent + 14) << 10);
  return static_cast<uint16_t>(sign | based);
}
TG_ALWAYS_INLINE float widen_half(uint16_t a) {
  const uint32_t sign = uint32_t{a & 0x8000u} << 16, exponent = (a >> 10) & 31u, fraction = a & 0x3ffu;
  if (exponent == 31)
    return from_bits<float>(fraction ? float_traits<float>::quiet_nan : sign | float_traits<float>::infinity);
  const float size = exponent == 0 ? static_cast<float>(fraction) * 0x1p-24f
                                   : from_bits<float>(((exponent + 112) << 23) | (fraction << 13));
  return from_bits<float>(sign | to_bits(size));
}
/// To the nearest bfloat, ties to even.
TG_ALWAYS_INLINE uint16_t narrow_to_bfloat(float a) {
  const uint32_t all = to_bits(a);
  if (magnitude(a) > float_traits<float>::infinity) return 0x7fff;
  return static_cast<uint16_t>((all + 0x7fff + ((all >> 16) & 1)) >> 16);
}

struct narrow_half_op {
  template <class T>
  TG_ALWAYS_INLINE static uint16_t of(T a) {
    return narrow_to_half(a);
  }
};
struct widen_half_op {
  TG_ALWAYS_INLINE static float of(uint16_t a) { return widen_half(a); }
};
struct narrow_bfloat_op {
  TG_ALWAYS_INLINE static uint16_t of(float a) { return narrow_to_bfloat(a); }
};
struct widen_bfloat_op {
  TG_ALWAYS_INLINE static float of(uint16_t a) { return from_bits<float>(uint32_t{a} << 16); }
};

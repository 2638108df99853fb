// Conversions of one lane. Included once per vector unit, inside its namespace and target.
#include <tg/emulator/lanes/narrow.hpp>

/// Integer to integer, extended or truncated, R as wide as the result's register; or to a float, in the rounding that is set.
template <class R> struct extend_op {
  template <class T> TG_ALWAYS_INLINE static R of(T a) { return static_cast<R>(a); }
};

/// An integral float to the nearest integer of type R. NaN becomes 0, or where the float or R has 64 bits the highest
/// bit alone. Source: PTX ISA 9.0, cvt.
template <class R> struct to_integer_op {
  template <class T> TG_ALWAYS_INLINE static R of(T a) {
    constexpr R lowest =
        integer_traits<R>::is_signed ? static_cast<R>(typename integer_traits<R>::bits{1} << (8 * sizeof(R) - 1)) : R{0};
    constexpr R highest = static_cast<R>(~lowest);
    constexpr T past = static_cast<T>(uint64_t{1} << (8 * sizeof(R) - 1)) * (integer_traits<R>::is_signed ? T{1} : T{2});
    constexpr T before = integer_traits<R>::is_signed ? -past : T{0};
    constexpr bool is_long = sizeof(R) == 8 || sizeof(T) == 8;
    constexpr R of_nan = is_long ? static_cast<R>(typename integer_traits<R>::bits{1} << (8 * sizeof(R) - 1)) : R{0};
    return a >= past ? highest : a > before ? static_cast<R>(a) : a != a ? of_nan : lowest;
  }
};

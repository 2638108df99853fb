// Floats of 8, 16 and 19 bits on the host: what buffers of them hold, and constants of a kernel. Nothing converts
// silently; each conversion is rounded once, as the device's own does it.
#pragma once

#include <cstdint>

#include <tg/base/held.hpp>
#include <tg/base/limits.hpp>
#include <tg/base/static_text.hpp>

namespace tg {

namespace detail {

/// What a number past the largest becomes: an infinity, or the largest. `finite` has no infinity, and one NaN of each
/// sign.
enum class past { infinity, largest, finite };

namespace held {

/// A sign, `Exponent` and `Fraction` bits at the upper end of `Bits`.
template <class Own, class Bits, int Exponent, int Fraction, past Past = past::infinity, bool TiesAway = false>
struct narrow_float {
  Bits bits;

  narrow_float() = default;
  /// `x` rounded to nearest, halves to even, or away from zero in `tf32`. NaN becomes the NaN of all ones.
  constexpr explicit narrow_float(double x) : bits(narrow(x)) {}
  static constexpr Own from_bits(Bits bits) {
    Own out{};
    out.bits = bits;
    return out;
  }

  /// Exact.
  constexpr explicit operator double() const { return widen(bits); }
  constexpr explicit operator float() const { return static_cast<float>(widen(bits)); }

  /// As numbers: zeros are equal, NaN differs from itself.
  friend constexpr bool operator==(const Own& a, const Own& b) { return widen(a.bits) == widen(b.bits); }

 private:
  static constexpr int unused = 8 * static_cast<int>(sizeof(Bits)) - 1 - Exponent - Fraction;
  static constexpr int bias = (1 << (Exponent - 1)) - 1;
  static constexpr std::uint64_t nan = (std::uint64_t{1} << (Exponent + Fraction)) - 1;
  static constexpr std::uint64_t largest = Past == past::finite ? nan - 1 : (nan >> Fraction << Fraction) - 1;
  static constexpr std::uint64_t beyond = Past == past::infinity ? largest + 1 : largest;

  // Counts the units of the last place; a carry out of the fraction moves on to the exponent by itself.
  static constexpr Bits narrow(double x) {
    constexpr int least = 1023 + 1 - bias;  // the exponent field of a double that is the least normal number here
    const auto all = __builtin_bit_cast(std::uint64_t, x);
    const std::uint64_t size = all << 1 >> 1;
    const int field = static_cast<int>(size >> 52);
    const int below = field < least ? least - field : 0;  // binades below the least normal number
    const int shift = 52 - Fraction + (below < Fraction + 2 ? below : Fraction + 2);
    const std::uint64_t digits = size << 12 >> 12 | std::uint64_t{1} << 52;
    const std::uint64_t half = std::uint64_t{1} << (shift - 1);
    const std::uint64_t rounded = (digits + (TiesAway ? half : half - 1 + (digits >> shift & 1))) >> shift;
    const std::uint64_t found = (static_cast<std::uint64_t>(field > least ? field - least : 0) << Fraction) + rounded;
    if (x != x) return largest_integer<Bits> >> 1;
    return static_cast<Bits>((found > largest ? beyond : found) << unused | all >> 63 << (8 * sizeof(Bits) - 1));
  }

  static constexpr double widen(Bits bits) {
    const std::uint64_t all = std::uint64_t{bits} >> unused, size = all & nan;
    // Normal: the exponent and the fraction of a double, one behind the other as they are here.
    if (size <= largest && size >> Fraction != 0) {
      const std::uint64_t magnitude = (size + (std::uint64_t{1023 - bias} << Fraction)) << (52 - Fraction);
      return __builtin_bit_cast(double, (all ^ size) << (63 - Exponent - Fraction) | magnitude);
    }
    const double sign = size == all ? 1.0 : -1.0;
    if (size > largest) return Past == past::finite || size > largest + 1 ? not_a_number<double> : sign * infinity<double>;
    const std::uint64_t field = size >> Fraction != 0 ? size >> Fraction : 1;
    const auto unit = __builtin_bit_cast(double, (field + 1023 - bias - Fraction) << 52);
    return sign * unit * static_cast<double>(size - ((field - 1) << Fraction));
  }
};

}  // namespace held

}  // namespace detail

/// IEEE binary16.
struct f16 : detail::narrow_float<f16, std::uint16_t, 5, 10> {
  using narrow_float::narrow_float;
  static constexpr static_text name = "f16";
};
/// The upper half of a float.
struct bf16 : detail::narrow_float<bf16, std::uint16_t, 8, 7> {
  using narrow_float::narrow_float;
  static constexpr static_text name = "bf16";
};
/// The upper 19 bits of a float, in 4 bytes of memory: what matrix instructions read of a float.
struct tf32 : detail::narrow_float<tf32, std::uint32_t, 8, 10, detail::past::infinity, true> {
  using narrow_float::narrow_float;
  static constexpr static_text name = "tf32";
};
/// Four bits of exponent and three of fraction, up to 448; no infinity.
struct f8e4m3 : detail::narrow_float<f8e4m3, std::uint8_t, 4, 3, detail::past::finite> {
  using narrow_float::narrow_float;
  static constexpr static_text name = "f8e4m3";
};
/// Five bits of exponent and two of fraction, up to 57344; a conversion never makes an infinity.
struct f8e5m2 : detail::narrow_float<f8e5m2, std::uint8_t, 5, 2, detail::past::largest> {
  using narrow_float::narrow_float;
  static constexpr static_text name = "f8e5m2";
};

/// Two of a kind in one register, `low` in the lower half and first in memory.
template <class T> struct alignas(2 * sizeof(T)) packed {
  using element_type = T;

  T low, high;

  friend constexpr bool operator==(const packed&, const packed&) = default;
};

/// Two f16 in one register.
using f16x2 = packed<f16>;
/// Two bf16 in one register.
using bf16x2 = packed<bf16>;
/// Two f8e4m3 in half a register.
using f8e4m3x2 = packed<f8e4m3>;
/// Two f8e5m2 in half a register.
using f8e5m2x2 = packed<f8e5m2>;

}  // namespace tg

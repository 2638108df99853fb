// Integer arithmetic on numbers that are known, exactly as the machine does it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include <tg/ptx/meaning/integer_meaning.hpp>

namespace tg::ptx {

namespace detail {

__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

constexpr std::uint64_t low_bits(std::int64_t value, int bits) {
  return bits >= 64 ? static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value) & ((1ull << bits) - 1);
}

/// The number that `bits` bits of `value` stand for.
constexpr std::int64_t number_in(std::int64_t value, token type) {
  const int bits = width_bits(type);
  return is_signed(type) ? sign_extend(value, bits) : static_cast<std::int64_t>(low_bits(value, bits));
}

}  // namespace detail

/// Domain of numbers. Sources may have any bits above those of the type; so have results.
/// Division by zero and the one that overflows are left to the machine.
struct constant_domain : blank_domain<std::optional<std::int64_t>> {
  value copy(value a) const { return a; }
  /// Between integers.
  value convert(value a, token from, token to) const {
    const auto is_number = [](token t) { return is_integer(t) || t == token::u8 || t == token::s8; };
    return a && is_number(from) && is_number(to) ? value(detail::number_in(detail::number_in(*a, from), to)) : value();
  }
  value neg(value a, word_type) const { return sub(0, a); }
  value abs(value a, word_type t) const { return a && sign_extend(*a, t.bits) < 0 ? sub(0, a) : a; }
  value bit_not(value a) const { return a ? value(~*a) : a; }
  value add(value a, value b) const {
    return wrapped(a, b, [](std::uint64_t x, std::uint64_t y) { return x + y; });
  }
  value sub(value a, value b) const {
    return wrapped(a, b, [](std::uint64_t x, std::uint64_t y) { return x - y; });
  }
  value bit_and(value a, value b) const {
    return wrapped(a, b, [](std::uint64_t x, std::uint64_t y) { return x & y; });
  }
  value bit_or(value a, value b) const {
    return wrapped(a, b, [](std::uint64_t x, std::uint64_t y) { return x | y; });
  }
  value bit_xor(value a, value b) const {
    return wrapped(a, b, [](std::uint64_t x, std::uint64_t y) { return x ^ y; });
  }
  value mul_low(value a, value b, word_type t) const { return product(a, b, t, 0); }
  value mul_wide(value a, value b, word_type t) const { return product(a, b, t, 0); }
  value mul_high(value a, value b, word_type t) const { return product(a, b, t, t.bits); }
  value div(value a, value b, word_type t) const { return divided(a, b, t, true); }
  value rem(value a, value b, word_type t) const { return divided(a, b, t, false); }
  value min(value a, value b, word_type t) const { return !a || !b ? value() : is_less(*a, *b, t) ? a : b; }
  value max(value a, value b, word_type t) const { return !a || !b ? value() : is_less(*a, *b, t) ? b : a; }
  value mask(value position, value count, bool wraps) const {
    if (!position || !count) return {};
    const std::uint64_t cut = wraps ? 31 : 0xffffffff;
    const std::uint64_t from = detail::low_bits(*position, 32) & cut, ones = detail::low_bits(*count, 32) & cut;
    if (from > 31) return 0;
    return static_cast<std::int64_t>(((std::uint64_t{1} << std::min<std::uint64_t>(ones, 32)) - 1) << from);
  }
  value shl(value a, value by, word_type t) const {
    if (!a || !by) return {};
    const std::uint64_t count = detail::low_bits(*by, 32);
    return count >= static_cast<std::uint64_t>(t.bits) ? 0 : static_cast<std::int64_t>(static_cast<std::uint64_t>(*a) << count);
  }
  value shr(value a, value by, word_type t) const {
    if (!a || !by) return {};
    const std::uint64_t count = detail::low_bits(*by, 32), most = static_cast<std::uint64_t>(t.bits) - 1;
    if (t.is_signed) return sign_extend(*a, t.bits) >> std::min(count, most);
    return count > most ? 0 : static_cast<std::int64_t>(detail::low_bits(*a, t.bits) >> count);
  }

 private:
  template <class Operation> static value wrapped(value a, value b, Operation operation) {
    if (!a || !b) return {};
    return static_cast<std::int64_t>(operation(static_cast<std::uint64_t>(*a), static_cast<std::uint64_t>(*b)));
  }

  static bool is_less(std::int64_t a, std::int64_t b, word_type t) {
    return t.is_signed ? sign_extend(a, t.bits) < sign_extend(b, t.bits)
                       : detail::low_bits(a, t.bits) < detail::low_bits(b, t.bits);
  }

  static value product(value a, value b, word_type t, int from_bit) {
    if (!a || !b) return {};
    const detail::uint128 wide =
        t.is_signed
            ? static_cast<detail::uint128>(static_cast<detail::int128>(sign_extend(*a, t.bits)) * sign_extend(*b, t.bits))
            : static_cast<detail::uint128>(detail::low_bits(*a, t.bits)) * detail::low_bits(*b, t.bits);
    return static_cast<std::int64_t>(wide >> from_bit);
  }

  static value divided(value a, value b, word_type t, bool is_quotient) {
    if (!a || !b || detail::low_bits(*b, t.bits) == 0) return {};
    if (!t.is_signed) {
      const std::uint64_t n = detail::low_bits(*a, t.bits), d = detail::low_bits(*b, t.bits);
      return static_cast<std::int64_t>(is_quotient ? n / d : n % d);
    }
    const std::int64_t n = sign_extend(*a, t.bits), d = sign_extend(*b, t.bits);
    if (d == -1) return {};
    return is_quotient ? n / d : n % d;
  }
};

}  // namespace tg::ptx

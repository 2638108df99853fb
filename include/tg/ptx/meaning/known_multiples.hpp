// What power of two divides each integer register, as far as constants, masks, shifts and products tell.
#pragma once

#include <algorithm>
#include <cstdint>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/meaning/integer_meaning.hpp>
#include <tg/ptx/meaning/register_uses.hpp>

namespace tg::ptx {

/// The power of two, up to 16, that divides `n`.
constexpr std::int64_t power_in(std::int64_t n) { return n % 16 == 0 ? 16 : n & -n; }

namespace detail {

/// A power of two that divides a number, and how far a shift by the number shifts.
struct divided_value {
  std::int64_t power = 1;
  std::int64_t by = 0;  // up to 4, which makes any power as large as it gets
};

struct multiples_domain : blank_domain<divided_value> {
  static value smaller(const value& a, const value& b) { return {std::min(a.power, b.power)}; }
  static value product(const value& a, const value& b) { return {power_in(a.power * b.power)}; }

  value copy(const value& a) const { return a; }
  value add(const value& a, const value& b) const { return smaller(a, b); }
  value sub(const value& a, const value& b) const { return smaller(a, b); }
  value bit_or(const value& a, const value& b) const { return smaller(a, b); }
  value bit_xor(const value& a, const value& b) const { return smaller(a, b); }
  value bit_and(const value& a, const value& b) const { return {std::max(a.power, b.power)}; }
  value mul_low(const value& a, const value& b, word_type) const { return product(a, b); }
  value mul_wide(const value& a, const value& b, word_type) const { return product(a, b); }
  value shl(const value& a, const value& b, word_type) const { return {power_in(a.power << b.by)}; }
};

inline std::int64_t multiple_of_result(const instruction& i, const dynamic_array<std::int64_t>& known) {
  const auto result = integer_result(i, multiples_domain(), [&](std::size_t k) -> divided_value {
    const operand& o = i[k];
    if (o.is_reg()) return {known[o.id]};
    return o.is(operand_kind::integer) ? divided_value{power_in(o.value), std::clamp<std::int64_t>(o.value, 0, 4)}
                                       : divided_value{};
  });
  return result.power;
}

}  // namespace detail

/// For each register of `f` the power of two, up to 16, that divides whatever is written to it.
inline dynamic_array<std::int64_t> known_multiples(const function& f) {
  dynamic_array<std::int64_t> known(f.registers.size(), power_in(0));
  for (bool changed = true; changed;) {
    changed = false;
    for (const instruction& i : f.body)
      for_each_written(f, i, [&](std::uint32_t r) {
        const std::int64_t now = std::min(known[r], detail::multiple_of_result(i, known));
        changed = changed || now != known[r];
        known[r] = now;
      });
  }
  return known;
}

}  // namespace tg::ptx

// What power of two divides each integer register, as far as constants, masks, shifts and products tell.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <tg/ptx/passes/registers.hpp>

namespace tg::ptx {

/// The power of two, up to 16, that divides `n`.
constexpr std::int64_t power_in(std::int64_t n) { return n % 16 == 0 ? 16 : n & -n; }

namespace detail {

inline std::int64_t multiple_of_result(const instruction& i, const std::vector<std::int64_t>& known) {
  const auto of = [&](const operand& o) -> std::int64_t {
    return o.is_reg() ? known[o.id] : o.is(operand_kind::integer) ? power_in(o.value) : 1;
  };
  switch (i.op) {
    case opcode::mov:
      return of(i[1]);
    case opcode::add:
    case opcode::sub:
    case opcode::or_:
    case opcode::xor_:
      return std::min(of(i[1]), of(i[2]));
    case opcode::and_:
      return std::max(of(i[1]), of(i[2]));
    case opcode::mul:
      return i.has(token::hi) ? 1 : power_in(of(i[1]) * of(i[2]));
    case opcode::mad:
      return i.has(token::hi) ? 1 : std::min(of(i[1]) * of(i[2]), of(i[3]));
    case opcode::shl:
      return i[2].is(operand_kind::integer) ? power_in(of(i[1]) << std::min<std::int64_t>(i[2].value, 4)) : of(i[1]);
    default:
      return 1;
  }
}

}  // namespace detail

/// For each register of `f` the power of two, up to 16, that divides whatever is written to it.
inline std::vector<std::int64_t> known_multiples(const function& f) {
  std::vector<std::int64_t> known(f.registers.size(), power_in(0));
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

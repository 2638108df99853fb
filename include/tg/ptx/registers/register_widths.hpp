// How many 32-bit registers each value takes: two for 64 bits, but one where only one half is ever asked for, as of an
// address of shared memory or the low half of a product; none for the half of a fragment that repeats the other.
#pragma once

#include <cstdint>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/ir/state_space.hpp>
#include <tg/ptx/meaning/register_uses.hpp>

namespace tg::ptx {

/// 32-bit registers of a value of `type`; a predicate takes none.
constexpr std::uint8_t width_of(token type) {
  const int bits = width_bits(type);
  return static_cast<std::uint8_t>(bits == 1 ? 0 : bits == 64 ? 2 : bits == 128 ? 4 : 1);
}

namespace detail {

// Which halves of operand k are asked for, when `result` are those of the result: 1 low, 2 high.
inline std::uint8_t asked_halves(const instruction& i, std::size_t k, std::uint8_t result) {
  constexpr std::uint8_t low = 1, high = 2, both = 3;
  if (i[k].is(operand_kind::address)) {
    const token space = named_space(i);
    return space == token::shared || space == token::local ? low : both;
  }
  if (is_store(i.op)) return width_bits(i.type()) <= 32 ? low : both;
  switch (calculation_of(i.op)) {
    case calculation::convert: return !is_float(i.tokens()[0]) && width_bits(i.tokens()[0]) <= 32 ? low : both;
    case calculation::shr: return k == 1 && i[2].is(operand_kind::integer) && i[2].value >= 32 ? high : both;
    default:
      if (has_trait(i.op, trait::bitwise)) return result;
      return has_trait(i.op, trait::carries_up) && !i.has(token::hi) && result <= low ? result : both;
  }
}

}  // namespace detail

/// One width for each register of `f`.
inline dynamic_array<std::uint8_t> register_widths(const function& f) {
  dynamic_array<std::uint8_t> halves(f.registers.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (const instruction& i : f.body)
      for (std::size_t k = static_cast<std::size_t>(result_count(i)); k < i.operand_count; ++k)
        for_each_register(f, i[k], [&](std::uint32_t r) {
          const std::uint8_t of_result = i[0].is_reg() ? halves[i[0].id] : std::uint8_t{3};
          const auto all = static_cast<std::uint8_t>(halves[r] | detail::asked_halves(i, k, of_result));
          changed = changed || all != halves[r];
          halves[r] = all;
        });
  }
  dynamic_array<std::uint8_t> out;
  for (std::uint32_t r = 0; r < f.registers.size(); ++r) {
    const std::uint8_t width = width_of(f.registers[r].type);
    out.push_back(width == 2 && (halves[r] == 1 || halves[r] == 2) ? 1 : width);
  }
  for (const instruction& i : f.body) {
    if (i.op != opcode::wmma || !i.has(token::load) || i.type() != token::f16 || i.has(token::c)) continue;
    if (!i[0].is(operand_kind::vector)) continue;
    const auto parts = f.parts(i[0]);
    for (std::size_t k = 4; k < parts.size(); ++k)
      if (parts[k].is_reg()) out[parts[k].id] = 0;
  }
  return out;
}

}  // namespace tg::ptx

// The registers that a loop changes: as they were before it, and as they are at the beginning of a later iteration.
#pragma once

#include <cstddef>
#include <cstdint>

#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/proof/loop_shape.hpp>
#include <tg/dsl/proof/values.hpp>

namespace tg::proof {

/// What registers hold, to be put back later.
inline dynamic_array<value> hold(const values& all, const dynamic_array<std::uint32_t>& variables) {
  dynamic_array<value> out;
  for (const std::uint32_t reg : variables) out.push_back(all[reg]);
  return out;
}

/// Gives registers what `hold` found in them.
inline void put_back(values& all, const dynamic_array<std::uint32_t>& variables, const dynamic_array<value>& held) {
  for (std::size_t k = 0; k < variables.size(); ++k) all.set(variables[k], held[k]);
}

/// Registers keep what they hold in threads for which a condition holds; in others they hold what `hold` found.
inline void blend_all(values& all, std::uint32_t condition, const dynamic_array<std::uint32_t>& variables,
                      const dynamic_array<value>& held) {
  for (std::size_t k = 0; k < variables.size(); ++k) all.set(variables[k], all.blend(condition, all[variables[k]], held[k]));
}

/// A counter after so many steps, as a number of its type.
inline value stepped_by(values& all, const stepped& c, const form& number) {
  const form start = all.form_of(ptx::operand::reg(c.reg));
  const auto grown = all.unknowns().product(all.form_of(c.step), number);
  if (!grown) return values::data(false);
  const form now = all.as_number(add(start, *grown), ptx::width_bits(c.type), ptx::is_signed(c.type));
  return now.is_broken ? values::data(false) : all.integer(now);
}

/// The registers at the beginning of iteration `number`, counted from 0.
inline void start_iterations(values& all, const loop_shape& shape, const form& number,
                             const dynamic_array<std::uint32_t>& variables, const dynamic_array<value>& entry,
                             const dynamic_array<value>& others) {
  put_back(all, variables, entry);
  for (const stepped& c : shape.counters) all.set(c.reg, stepped_by(all, c, number));
  for (std::size_t k = 0; k < shape.others.size(); ++k) all.set(shape.others[k], others[k]);
}

}  // namespace tg::proof

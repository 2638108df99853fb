// Numbers that a kernel looks up by a computed position.
#pragma once

#include <array>
#include <cstring>
#include <string_view>

#include <tg/dsl/cast.hpp>

namespace tg::detail {

/// The position of module variable `name`, which holds `numbers` in constant memory; made once per module.
template <class T, std::size_t N>
ptx::operand constant_variable(ptx::module& m, std::string_view name, const std::array<T, N>& numbers) {
  std::uint32_t id = 0;
  while (id < m.variables.size() && m.variables[id].name != name) ++id;
  if (id == m.variables.size()) {
    ptx::variable& added = m.variables.emplace_back();
    added.space = ptx::token::const_;
    added.type = bits_type<T>;
    added.count = N;
    added.name = name;
    added.initial.resize(sizeof numbers);
    std::memcpy(added.initial.data(), numbers.data(), sizeof numbers);
  }
  return ptx::operand::named(ptx::operand_kind::variable, id);
}

/// `count` consecutive numbers of a table, from a computed position. Cost: loads from constant memory.
template <class T, std::size_t Count, std::size_t N>
std::array<value<T>, Count> look_up(std::string_view name, const std::array<T, N>& numbers, const value<unsigned>& position) {
  auto& t = tracer::current();
  const ptx::operand table = constant_variable(t.mod(), name, numbers);
  const ptx::operand base = t.compute(ptx::token::b64, ptx::opcode::mov, {ptx::token::u64}, {table});
  const ptx::operand offset = t.compute(ptx::token::b64, ptx::opcode::mul, {ptx::token::wide, ptx::token::u32},
                                        {position.operand, ptx::operand::integer(sizeof(T))});
  const ptx::operand first = t.compute(ptx::token::b64, ptx::opcode::add, {ptx::token::u64}, {base, offset});
  std::array<value<T>, Count> out;
  for (std::size_t k = 0; k < Count; ++k)
    out[k].operand = t.compute(register_type<T>, ptx::opcode::ld, {ptx::token::const_, memory_type<T>},
                               {ptx::operand::address(first, static_cast<std::int64_t>(k * sizeof(T)))});
  return out;
}

}  // namespace tg::detail

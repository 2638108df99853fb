// Numbers that a kernel looks up by a computed position.
#pragma once

#include <array>
#include <utility>

#include <tg/dsl/cast.hpp>

namespace tg::detail {

/// `count` consecutive numbers of a table, from a computed position. Cost: loads from constant memory.
template <class T, std::size_t Count, std::size_t N>
std::array<value<T>, Count> look_up(const char* name, const std::array<T, N>& numbers, const value<unsigned>& position) {
  auto& t = tracer::current();
  const ptx::operand table = t.constant_variable(name, bits_type<T>, N, numbers.data(), sizeof numbers);
  const ptx::operand base = t.compute(ptx::token::b64, ptx::opcode::mov, {ptx::token::u64}, {table});
  const ptx::operand offset = t.compute(ptx::token::b64, ptx::opcode::mul, {ptx::token::wide, ptx::token::u32},
                                        {position.operand, ptx::operand::integer(sizeof(T))});
  const ptx::operand first = t.compute(ptx::token::b64, ptx::opcode::add, {ptx::token::u64}, {base, offset});
  return [&]<std::size_t... K>(std::index_sequence<K...>) {
    return std::array<value<T>, Count>{t.compute(register_type<T>, ptx::opcode::ld, {ptx::token::const_, memory_type<T>},
                                                 {ptx::operand::address(first, static_cast<std::int64_t>(K * sizeof(T)))})...};
  }(std::make_index_sequence<Count>{});
}

}  // namespace tg::detail

// The index of an element of a tile in shared memory, in 32 bits.
#pragma once

#include <tg/dsl/view.hpp>

namespace tg::detail {

/// Its low 32 bits, in which the addresses of shared memory are computed.
inline ptx::operand to_word(tracer& t, const ptx::operand& x, ptx::token type) {
  if ((type != ptx::token::u64 && type != ptx::token::s64) || !x.is_reg()) return x;
  return t.compute(ptx::token::b32, ptx::opcode::cvt, {ptx::token::u32, type}, {x});
}

/// The sum of index * pitch, where `pitches` are those of Tile but the last, which is 1: registers or immediates.
template <class Tile, class... I>
auto to_linear(const ptx::operand* pitches, const I&... indices) {
  constexpr bool gathered = (is_data_index<I> || ...);
  using form = typename std::conditional_t<gathered, std::type_identity<index::data>, linear<typename Tile::pitches, I...>>::type;
  auto& t = tracer::current();
  const index_operand at[] = {to_index(indices)...};
  constexpr std::size_t last = sizeof...(I) - 1;
  bool is_signed = false;
  for (const index_operand& x : at) is_signed = is_signed || x.type == ptx::token::s32;
  const ptx::token type = is_signed ? ptx::token::s32 : ptx::token::u32;
  ptx::operand sum;
  for (std::size_t k = 0; k < last; ++k) {
    const ptx::operand own = t.compute(ptx::token::b32, ptx::opcode::mul, {ptx::token::lo, type},
                                       {to_word(t, at[k].operand, at[k].type), pitches[k]});
    sum = k == 0 ? own : t.compute(ptx::token::b32, ptx::opcode::add, {type}, {sum, own});
  }
  const ptx::operand inner = to_word(t, at[last].operand, at[last].type);
  return linear_index<form, gathered>{
      last == 0 ? inner : t.compute(ptx::token::b32, ptx::opcode::add, {type}, {sum, inner})};
}

}  // namespace tg::detail

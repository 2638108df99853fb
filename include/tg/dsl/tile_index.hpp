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
  auto& t = tracer::current();
  const index_operand at[] = {to_index(indices)...};
  constexpr std::size_t last = sizeof...(I) - 1;
  bool is_signed = false;
  for (const index_operand& x : at) is_signed = is_signed || x.type == ptx::token::s32;
  const ptx::token type = is_signed ? ptx::token::s32 : ptx::token::u32;
  const auto sum_of = [&](bool with_gathered) {
    ptx::operand sum;
    for (std::size_t k = 0; k <= last; ++k) {
      if (!with_gathered && at[k].multiple != 0) continue;
      ptx::operand own = to_word(t, at[k].operand, at[k].type);
      if (k != last) own = t.compute(ptx::token::b32, ptx::opcode::mul, {ptx::token::lo, type}, {own, pitches[k]});
      sum = sum.is(ptx::operand_kind::none) ? own : t.compute(ptx::token::b32, ptx::opcode::add, {type}, {sum, own});
    }
    return sum;
  };
  linear_index<linear_form<Tile, I...>, gathered> out{sum_of(true)};
  if constexpr (gathered) {
    out.rest = sum_of(false);
    // What is gathered, as if all else were 0.
    constexpr analysis::lane_value own =
        index::evaluate<typename linear<typename Tile::pitches, std::conditional_t<is_data_index<I>, I, constant<0>>...>::type>(0);
    out.multiple = analysis::granularity(own);
  }
  return out;
}

}  // namespace tg::detail

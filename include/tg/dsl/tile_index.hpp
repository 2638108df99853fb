// The index of an element of a tile in shared memory, in 32 bits.
#pragma once

#include <tg/dsl/view.hpp>

namespace tg::detail {

/// Its low 32 bits, in which the addresses of shared memory are computed.
inline ptx::operand to_word(tracer& t, const ptx::operand& x, ptx::token type) {
  if ((type != ptx::token::u64 && type != ptx::token::s64) || !x.is_reg()) return x;
  return t.compute(ptx::token::b32, ptx::opcode::cvt, {ptx::token::u32, type}, {x});
}

template <index_like X>
auto to_linear(const X& x) {
  const auto v = to_index(x);
  return linear_index<index_form<X>, is_data_index<X>>{to_word(tracer::current(), v.operand, v.type)};
}

/// row * pitch + column, where the pitch is an immediate with the given form.
template <class Pitch, class R, class C>
auto to_linear(ptx::operand pitch, const R& row, const C& column) {
  constexpr bool gathered = is_data_index<R> || is_data_index<C>;
  using form = typename std::conditional_t<gathered, std::type_identity<index::data>,
                                           index::detail::plus<index::times<index_form<R>, Pitch>, index_form<C>>>::type;
  const auto r = to_index(row);
  const auto c = to_index(column);
  auto& t = tracer::current();
  const bool is_signed = r.type == ptx::token::s32 || c.type == ptx::token::s32;
  const ptx::token type = is_signed ? ptx::token::s32 : ptx::token::u32;
  const ptx::operand offset = t.compute(ptx::token::b32, ptx::opcode::mul, {ptx::token::lo, type}, {to_word(t, r.operand, r.type), pitch});
  return linear_index<form, gathered>{
      t.compute(ptx::token::b32, ptx::opcode::add, {type}, {offset, to_word(t, c.operand, c.type)})};
}

}  // namespace tg::detail

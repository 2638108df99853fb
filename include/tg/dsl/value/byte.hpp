// One byte of a word.
#pragma once

#include <tg/dsl/value/byte_permute.hpp>
#include <tg/dsl/value/dense.hpp>

namespace tg {

/// Byte `Number` of a word, 0 the lowest: `tg::byte<3>(word)`. Requires: a 32-bit integer. Errors: TG110, TG156.
/// PTX: prmt.b32.
template <int Number, device_value X> value<std::uint8_t> byte(const X& word) {
  using T = device_type_of<X>;
  (void)sizeof(diagnosis::operation<detail::is_word32<T>, T>);
  using found = diagnosis::byte_position<(Number >= 0 && Number < 4), diagnosis::positions<Number>>;
  if constexpr (diagnosis::is_ok<sizeof(found), found>) return {detail::from_word<std::uint8_t>(word.get().operand, Number)};
  else return ptx::operand{};
}

}  // namespace tg

// The bits of a value read as another type of the same width.
#pragma once

#include <tg/dsl/value/operators.hpp>

namespace tg {

namespace detail {
// Signed bytes and shorts are kept extended, so their bits are not all there is of them.
template <class T> inline constexpr bool is_bits = is_arithmetic<T> || is_narrow<T> || (is_small<T> && std::is_unsigned_v<T>);
}  // namespace detail

/// `x` with its bits read as a To: `tg::bit_cast<unsigned>(1.0f)` is 0x3f800000.
/// Requires: two types of one size: 32 or 64 bits, narrow floats, and unsigned integers as wide. Errors: TG110.
/// PTX: mov.b32 or mov.b64, cvt of 16 bits; nothing between integers.
template <class To, device_value X> auto bit_cast(const X& x) {
  using From = device_type_of<X>;
  constexpr bool fits = detail::is_bits<To> && detail::is_bits<From> && sizeof(To) == sizeof(From);
  (void)sizeof(diagnosis::operation<fits, diagnosis::types<To, From>>);
  const auto from = x.get();
  if constexpr (!fits || std::is_same_v<To, From>) {
    return from;
  } else if constexpr (register_type<To> == register_type<From>) {
    using form = typename decltype(from)::form;
    return value<To, std::conditional_t<is_integer<To> && is_integer<From>, form, index::data>>{from.operand};
  } else if constexpr (bits_type<To> != bits_type<From>) {
    constexpr bool is_half_register = bits_type<To> == ptx::token::b16;
    return value<To>{
        detail::tracer::current().compute(bits_type<To>,
                                          ptx::operation::convert(is_half_register ? ptx::token::u16 : ptx::token::u32,
                                                                  is_half_register ? ptx::token::u32 : ptx::token::u16),
                                          {from.operand})};
  } else {
    return value<To>{detail::tracer::current().copy(register_type<To>, bits_type<To>, from.operand)};
  }
}

}  // namespace tg

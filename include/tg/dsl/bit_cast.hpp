// The bits of a value read as another type of the same width.
#pragma once

#include <tg/dsl/operators.hpp>

namespace tg {

/// `x` with its bits read as a To: `tg::bit_cast<unsigned>(1.0f)` is 0x3f800000.
/// Requires: two 32-bit types or two 64-bit types. Errors: TG110.
/// PTX: mov.b32 or mov.b64; nothing between integers.
template <class To, device_value X>
auto bit_cast(const X& x) {
  using From = device_type_of<X>;
  constexpr bool fits = is_arithmetic<To> && is_arithmetic<From> && sizeof(To) == sizeof(From);
  (void)sizeof(diagnosis::operation<fits, diagnosis::types<To, From>>);
  const auto from = x.get();
  if constexpr (!fits || std::is_same_v<To, From>) {
    return from;
  } else if constexpr (is_integer<To> == is_integer<From>) {
    return value<To, typename decltype(from)::form>{from.operand};
  } else {
    return value<To>{detail::tracer::current().compute(register_type<To>, ptx::opcode::mov, {bits_type<To>},
                                                       {from.operand})};
  }
}

}  // namespace tg

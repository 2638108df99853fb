// NumPy's text of a type of elements.
#pragma once

#include <string>
#include <type_traits>

#include <tg/array/diagnosis.hpp>
#include <tg/dsl/vector/narrow_float.hpp>

namespace tg::detail {

/// Byte order, kind and bytes: `<f4`. Errors: TG716 for bf16 and 8-bit floats, of which NumPy knows nothing.
template <class T> std::string typestr_of() {
  static_assert(!std::is_same_v<T, bf16> && !is_byte_float<T>,
                "TG716: NumPy has no bf16 and no 8-bit floats: use tg/array/dlpack.hpp, or tg::eval(tg::cast<float>(x))");
  const char kind = std::is_same_v<T, bool> ? 'b' : !std::is_integral_v<T> ? 'f' : std::is_signed_v<T> ? 'i' : 'u';
  return std::string(sizeof(T) == 1 ? "|" : "<") + kind + std::to_string(sizeof(T));
}

}  // namespace tg::detail

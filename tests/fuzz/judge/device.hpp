// A value of a recorded kernel whose type is known while the program runs.
#pragma once

#include <type_traits>

#include <tg/dsl/value/value.hpp>

#include "tree.hpp"

namespace judge {

/// A value of the kernel, its type known while the program runs.
struct device {
  type of = type::u32;
  tg::ptx::operand operand;
};

template <class T> constexpr type type_of() {
  if constexpr (std::is_same_v<T, bool>) return type::b;
  else if constexpr (std::is_same_v<T, float>) return type::f32;
  else if constexpr (std::is_same_v<T, double>) return type::f64;
  else if constexpr (sizeof(T) == 1) return std::is_signed_v<T> ? type::s8 : type::u8;
  else if constexpr (sizeof(T) == 2) return std::is_signed_v<T> ? type::s16 : type::u16;
  else if constexpr (sizeof(T) == 4) return std::is_signed_v<T> ? type::s32 : type::u32;
  else return std::is_signed_v<T> ? type::s64 : type::u64;
}

template <class T> tg::value<T> as(const device& d) {
  if (d.of != type_of<T>()) throw malformed("a type that does not fit");
  return tg::value<T>{d.operand};
}
template <class T, class Form> device forget(const tg::value<T, Form>& v) { return {type_of<T>(), v.operand}; }

inline tg::source_location at(int line) { return {"fuzz", line}; }

}  // namespace judge

// Arrays as text, as numpy prints them.
#pragma once

#include <string>

#include <tg/array/array.hpp>

namespace tg {

namespace detail { std::string array_text(const array_place& place, element_code code); }  // namespace detail

/// The elements in nested brackets, in columns; of more than 1000 elements three at each end of a dimension, as numpy has it.
/// Waits for all work before. An expression is computed for it. Errors: TG704; those of an assignment.
/// Example: std::puts(tg::to_text(x).c_str());
template <array_like X> std::string to_text(const X& x) {
  if constexpr (requires { x.native(); })
    return detail::array_text(x.node().place(), detail::code_for<typename X::element_type>);
  else return to_text(tg::eval(x));
}

/// Writes it to a stream: `std::cout << x`.
template <class Stream, array_like X> requires requires(Stream& to) { to << std::string(); }
Stream& operator<<(Stream& to, const X& x) {
  to << to_text(x);
  return to;
}

}  // namespace tg

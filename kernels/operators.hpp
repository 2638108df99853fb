// Operators that reductions and scans of the kernels take, with what changes nothing beside them.
#pragma once

#include <limits>

#include <tg/dsl.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// The sum of two values.
struct addition {
  template <class A, class B> auto operator()(const A& a, const B& b) const { return a + b; }
  template <class T> static constexpr T identity() { return T(0); }
};
/// The larger of two values; of a float and NaN the float.
struct maximum {
  template <class A, class B> auto operator()(const A& a, const B& b) const { return tg::max(a, b); }
  template <class T> static constexpr T identity() {
    using limits = std::numeric_limits<T>;
    return limits::has_infinity ? -limits::infinity() : limits::lowest();
  }
};
/// The smaller of two values; of a float and NaN the float.
struct minimum {
  template <class A, class B> auto operator()(const A& a, const B& b) const { return tg::min(a, b); }
  template <class T> static constexpr T identity() {
    using limits = std::numeric_limits<T>;
    return limits::has_infinity ? limits::infinity() : limits::max();
  }
};

}  // namespace tg::kernels

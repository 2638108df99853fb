// How far a number moves when it is rounded to a type, and numbers with bounds of their errors.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include <tg/dsl/vector/narrow_float.hpp>

namespace tg::kernels::reference {

/// Half the distance of two numbers of T between 1 and 2. Integers are exact.
template <class T> inline constexpr double unit = 0;
template <> inline constexpr double unit<float> = 0x1p-24;
template <> inline constexpr double unit<tg::bf16> = 0x1p-8;
template <> inline constexpr double unit<tg::f16> = 0x1p-11;

/// The smallest positive number of T with all its digits; below it numbers of T are equally far apart.
template <class T> inline constexpr double smallest = 0;
template <> inline constexpr double smallest<float> = 0x1p-126;
template <> inline constexpr double smallest<tg::bf16> = 0x1p-126;
template <> inline constexpr double smallest<tg::f16> = 0x1p-14;

/// The most by which rounding x to T changes it.
template <class T> double rounding(double x) { return unit<T> * std::max(std::abs(x), smallest<T>); }

/// Numbers, and how far off each of them may be.
struct bounded {
  std::vector<double> value, bound;

  /// One more.
  void add(double x, double off) {
    value.push_back(x);
    bound.push_back(off);
  }
};

}  // namespace tg::kernels::reference

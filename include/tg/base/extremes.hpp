// The smaller and the larger of two, without <algorithm>, which takes the compiler long.
#pragma once

namespace tg::detail {

template <class T> constexpr T smaller_of(T a, T b) { return b < a ? b : a; }
template <class T> constexpr T larger_of(T a, T b) { return a < b ? b : a; }

}  // namespace tg::detail

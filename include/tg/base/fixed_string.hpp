// A string that can be a template argument: names of kernels, reasons of `allow`.
#pragma once

#include <cstddef>

namespace tg {

/// Characters held by value and a zero behind them, so that `kernel<"saxpy">` has its name in its type.
template <std::size_t N> struct fixed_string {
  char text[N]{};

  constexpr fixed_string(const char (&literal)[N]) {
    for (std::size_t i = 0; i < N; ++i) text[i] = literal[i];
  }

  constexpr std::size_t size() const { return N - 1; }
};

}  // namespace tg

// Choices of a random kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <vector>

#include "tree.hpp"

namespace judge {

/// Choices that a seed decides.
class choices {
 public:
  explicit choices(std::uint64_t seed) : random_(seed * 0x9e3779b97f4a7c15u + 0x1234567u) {}

  std::uint64_t word() { return random_(); }
  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  bool one_in(int n) { return below(n) == 0; }
  template <class T> T any(std::initializer_list<T> list) { return list.begin()[below(static_cast<int>(list.size()))]; }
  template <class T> const T& any(const std::vector<T>& list) {
    return list[static_cast<std::size_t>(below(static_cast<int>(list.size())))];
  }

  /// A number of a type: its ends, powers of two and their neighbours, small numbers, anything.
  bits number(type t) {
    if (t == type::f32 || t == type::f64) {
      const double edges[] = {0.0, -0.0, 1.0, -1.0, 0.5, -2.75, 1e-42, 65504.0, 16777216.0, -3e9, 1.5e19, 3e38};
      return from_double(t, edges[below(12)]);
    }
    bits out = 0;
    switch (below(6)) {
      case 0: out = static_cast<bits>(below(16)); break;
      case 1: out = bits{0} - static_cast<bits>(below(4)); break;
      case 2: out = bits{1} << below(width_of(t)); break;
      case 3: out = (bits{1} << below(width_of(t))) - 1; break;
      case 4: out = (bits{1} << (width_of(t) - 1)) + static_cast<bits>(below(5)) - 2; break;
      default: out = word(); break;
    }
    return out & mask_of(t);
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace judge

// A random number of a kernel: a tree of integer operations over leaves that the test gives.
#pragma once

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include <tg/dsl.hpp>
#include <tg/dsl/math/math.hpp>
#include <tg/dsl/value/uniform.hpp>

/// Makes numbers out of `leaves` and small constants.
class random_number {
 public:
  using number = tg::value<unsigned>;

  random_number(std::uint32_t seed, std::vector<number> leaves) : random_(seed), leaves_(std::move(leaves)) {}

  number make(int depth) {
    if (depth == 0 || below(6) == 0) {
      const unsigned at = below(static_cast<unsigned>(leaves_.size()) + 1);
      return at < leaves_.size() ? leaves_[at] : number{tg::uniform(below(7)).operand};
    }
    const number a = make(depth - 1);
    const unsigned divisor = 1u + below(6);
    switch (below(9)) {
      case 0: return {(a + make(depth - 1)).operand};
      case 1: return {(a - make(depth - 1)).operand};
      case 2: return {(a * make(depth - 1)).operand};
      case 3: return {(a / divisor).operand};
      case 4: return {(a % divisor).operand};
      case 5: return {(a >> tg::constant<1>{}).operand};
      case 6: return {tg::min(a, make(depth - 1)).operand};
      case 7: return {tg::select(a < make(depth - 1), a, make(depth - 1)).operand};
      default: return {(a ^ make(depth - 1)).operand};
    }
  }

 private:
  unsigned below(unsigned end) { return static_cast<unsigned>(random_() % end); }

  std::mt19937 random_;
  std::vector<number> leaves_;
};

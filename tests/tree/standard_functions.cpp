#include <tg/tree/standard_functions.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include <tg/array.hpp>
#include <tg/tile.hpp>

TEST_CASE("functions of the C++ library on numbers are those of the C++ library") {
  CHECK(std::max(1.0f, 2.0f) == 2.0f);
  CHECK(std::min(2.0f, 3.0f) == 2.0f);
  CHECK(std::clamp(3, 0, 2) == 2);
  CHECK(std::exp(0.0) == 1.0);
  CHECK(std::fma(2.0f, 3.0f, 1.0f) == 7.0f);
  CHECK(std::abs(-2) == 2);
  CHECK(std::sqrt(4.0f) == 2.0f);
  CHECK(std::pow(2.0, 3) == 8.0);
}

namespace {
template <class A, class B>
concept has_max = requires(const A& a, const B& b) { std::max(a, b); };
using tile = tg::fixed_tile<float, tg::run_spread<64, 64, 4, 4>, tg::team<tg::block_t<128, 1, 1>, 4, 1>>;
using matrix = tg::array<float, 2>;
}  // namespace

TEST_CASE("tiles, arrays and numbers find a function that names the fix, other pairs find none") {
  CHECK(tg::detail::with_tree_operand<tile, float>);
  CHECK(tg::detail::with_tree_operand<float, tile>);
  CHECK(tg::detail::with_tree_operand<matrix, float>);
  CHECK(tg::detail::with_tree_operand<float, matrix>);
  CHECK_FALSE(tg::detail::with_tree_operand<float, int>);
  CHECK_FALSE(has_max<float, int>);
}

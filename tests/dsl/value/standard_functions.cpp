#include <tg/dsl/value/standard_functions.hpp>

#include <algorithm>
#include <cmath>

#include <tg/array.hpp>
#include <tg/dsl/math/math.hpp>
#include <tg/tile.hpp>

#include "../recording.hpp"

// Numbers of the host do not see the overloads; what a device holds is refused by tests/compile_fail/TG114_std_*.cpp.
static_assert(std::max(1, 2) == 2 && std::min(1.0f, 2.0f) == 1.0f && std::clamp(5, 0, 3) == 3);

TEST_CASE("functions of the C++ library on numbers are those of the C++ library") {
  CHECK(std::exp(0.0) == 1.0);
  CHECK(std::fma(2.0f, 3.0f, 1.0f) == 7.0f);
  CHECK(std::abs(-2) == 2);
  CHECK(std::sqrt(4.0f) == 2.0f);
  CHECK(std::pow(2.0, 3) == 8.0);
}

namespace {
template <class A, class B>
concept has_max = requires(const A& a, const B& b) { std::max(a, b); };
using value = tg::value<float>;
using tile = tg::fixed_tile<float, tg::run_spread<64, 64, 4, 4>, tg::team<tg::block_t<128, 1, 1>, 4, 1>>;
using matrix = tg::array<float, 2>;
}  // namespace

TEST_CASE("values, tiles, arrays and what stands beside them find a function that names the fix, other pairs find none") {
  CHECK(tg::detail::held_by_device_beside<value, float>);
  CHECK(tg::detail::held_by_device_beside<float, value>);
  CHECK(tg::detail::held_by_device_beside<tile, float>);
  CHECK(tg::detail::held_by_device_beside<float, tile>);
  CHECK(tg::detail::held_by_device_beside<matrix, float>);
  CHECK(tg::detail::held_by_device_beside<float, matrix>);
  CHECK_FALSE(tg::detail::held_by_device_beside<float, int>);
  CHECK_FALSE(tg::detail::held_by_device_beside<value, const char*>);
  CHECK_FALSE(has_max<float, int>);
}

TEST_CASE("tg::max stands beside them") {
  CHECK(recording::of([](auto, recording::parameters p) { (void)tg::max(p.a, 0.0f); }).text == "max.f32");
}

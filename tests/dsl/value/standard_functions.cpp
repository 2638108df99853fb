#include <tg/dsl/value/standard_functions.hpp>

#include <algorithm>

#include <tg/dsl/math/math.hpp>

#include "../recording.hpp"

// Numbers of the host do not see the overloads; device values are refused by tests/compile_fail/TG114_std_max.cpp and
// TG114_std_clamp.cpp.
static_assert(std::max(1, 2) == 2 && std::min(1.0f, 2.0f) == 1.0f && std::clamp(5, 0, 3) == 3);
static_assert(tg::detail::operands<tg::value<float>, float> && !tg::detail::operands<float, float>);

TEST_CASE("tg::max stands beside it") {
  CHECK(recording::of([](auto, recording::parameters p) { (void)tg::max(p.a, 0.0f); }).text == "max.f32");
}

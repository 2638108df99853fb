#include <tg/dsl/math.hpp>

#include <type_traits>

#include "recording.hpp"

using namespace tg::literals;

using namespace tg::index;

TEST_CASE("each function is its instruction") {
  const auto text = [](auto f) { return recording::of([f](auto, recording::parameters p) { f(p); }).text; };
  CHECK(text([](auto p) { (void)tg::fma(p.a, 2.0f, p.a); }) == "fma.rn.f32");
  CHECK(text([](auto p) { (void)tg::sqrt(p.a); }) == "sqrt.rn.f32");
  CHECK(text([](auto p) { (void)tg::abs(p.s); }) == "abs.s32");
  CHECK(text([](auto p) { (void)tg::floor(p.a); }) == "cvt.rmi.f32.f32");
  CHECK(text([](auto p) { (void)tg::select(p.n < 3, p.a, 0.0f); }) == "setp.lt.u32 selp.f32");
  CHECK(text([](auto p) { (void)tg::select(p.n < 3, 2.0f, 0.5f); }) == "setp.lt.u32 selp.f32");
  CHECK(text([](auto p) { (void)tg::select(p.n < 3, 7u, 5u); }) == "setp.lt.u32 selp.b32");
  CHECK(text([](auto p) { (void)tg::clamp(p.s, 0, 255); }) == "max.s32 min.s32");
}

TEST_CASE("a clamped coordinate keeps its lanes; a selected one does not") {
  recording::of([](auto block, recording::parameters p) {
    auto x = tg::cast<int>(block.global_index());
    auto kept = tg::clamp(x - 1_c, 0_c, p.s - 1_c);
    static_assert(is_known_form<typename decltype(kept)::form>);
    static_assert(tg::analysis::clamped_term(evaluate<typename decltype(kept)::form>(0)) == 0);
    (void)p.x(kept);
    auto picked = tg::select(p.n < 3, block.thread.x, block.thread.x + 1_c);
    static_assert(std::is_same_v<typename decltype(picked)::form, data>);
  });
}

TEST_CASE("a minimum with data is data") {
  recording::of([](auto block, recording::parameters p) {
    auto least = tg::min(block.thread.x, p.u(block.thread.x));
    static_assert(std::is_same_v<typename decltype(least)::form, data>);
  });
}

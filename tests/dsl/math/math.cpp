#include <tg/dsl/math/math.hpp>

#include <type_traits>

#include "../accuracy.hpp"
#include "../recording.hpp"

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

TEST_CASE("a clamped coordinate keeps its lanes; of a selected one the recorder says them") {
  recording::of([](auto block, recording::parameters p) {
    auto x = tg::cast<int>(block.global_index());
    auto kept = tg::clamp(x - 1_c, 0_c, p.s - 1_c);
    static_assert(is_known_form<typename decltype(kept)::form>);
    static_assert(tg::analysis::clamped_term(evaluate<typename decltype(kept)::form>(0)) == 0);
    (void)p.x(kept);
    auto picked = tg::select(p.n < 3, block.thread.x, block.thread.x + 1_c);
    static_assert(std::is_same_v<typename decltype(picked)::form, traced>);
    auto read = tg::select(p.n < 3, block.thread.x, p.u(block.thread.x));
    static_assert(std::is_same_v<typename decltype(read)::form, data>);
  });
}

TEST_CASE("a minimum with data is data") {
  recording::of([](auto block, recording::parameters p) {
    auto least = tg::min(block.thread.x, p.u(block.thread.x));
    static_assert(std::is_same_v<typename decltype(least)::form, data>);
  });
}

TEST_CASE_TEMPLATE("round goes away from zero at halves, trunc to it", T, float, double) {
  const auto x = accuracy::samples<T>(-40, 40);
  const auto is_right = [&](auto f, auto oracle) { return accuracy::worst(x, accuracy::apply<T>(f, x), oracle).ulps == 0; };
  CHECK(is_right([](auto v) { return tg::round(v); }, [](auto v) { return std::round(v); }));
  CHECK(is_right([](auto v) { return tg::trunc(v); }, [](auto v) { return std::trunc(v); }));
  CHECK_FALSE(is_right([](auto v) { return tg::round_even(v); }, [](auto v) { return std::round(v); }));
  std::vector<T> halves;
  for (int k = -20; k <= 20; ++k) halves.push_back(static_cast<T>(k) / 2);
  const auto y = accuracy::apply<T>([](auto v) { return tg::round(v); }, halves);
  for (std::size_t i = 0; i < y.size(); ++i) CHECK(std::signbit(y[i]) == std::signbit(std::round(halves[i])));
  for (std::size_t i = 0; i < y.size(); ++i) CHECK(y[i] == std::round(halves[i]));
}

TEST_CASE_TEMPLATE("isnan, isinf and isfinite of every exponent", T, float, double) {
  const auto x = accuracy::samples<T>(-1, 1);
  const auto check = [&](auto f, auto oracle) {
    const auto y = accuracy::apply<T, unsigned>([f](auto v) { return tg::cast<unsigned>(f(v)); }, x);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < x.size(); ++i) wrong += (y[i] != 0) != oracle(x[i]);
    CHECK(wrong == 0);
  };
  check([](auto v) { return tg::isnan(v); }, [](T v) { return std::isnan(v); });
  check([](auto v) { return tg::isinf(v); }, [](T v) { return std::isinf(v); });
  check([](auto v) { return tg::isfinite(v); }, [](T v) { return std::isfinite(v); });
}

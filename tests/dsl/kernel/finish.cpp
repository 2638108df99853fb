#include <tg/dsl/kernel/finish.hpp>

#include <doctest/doctest.h>

#include <tg/dsl/math/approx.hpp>
#include <tg/ptx/parse/parse.hpp>
#include <tg/ptx/print/print.hpp>

#include "../recording.hpp"

namespace {

std::string finished(tg::ptx::module m) { return tg::detail::finish(m); }

bool has(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("what is computed for nothing is not in the text, and what is stored is") {
  const auto recorded = recording::of([](auto block, auto p) {
    const auto i = block.thread.x;
    const auto unused = p.x(i) * 3.0f;
    static_cast<void>(unused);
    p.y(i) = p.a + 1.0f;
  });
  const auto text = finished(recorded.module);
  CHECK(has(tg::ptx::print(recorded.module), "mul"));
  CHECK_FALSE(has(text, "mul.f32"));
  CHECK_FALSE(has(text, "ld.global"));
  CHECK(has(text, "st.global.f32"));
}

TEST_CASE("the version and the target are the smallest that have every instruction") {
  const auto plain = finished(recording::of([](auto block, auto p) { p.y(block.thread.x) = p.a; }).module);
  const auto newer = finished(recording::of([](auto block, auto p) { p.y(block.thread.x) = tg::approx::tanh(p.a); }).module);
  CHECK(has(newer, ".target sm_75"));
  CHECK_FALSE(has(plain, ".target sm_75"));
  CHECK(tg::ptx::print(tg::ptx::parse(newer)) == newer);
}

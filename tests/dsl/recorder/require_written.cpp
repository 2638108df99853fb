#include <tg/dsl/recorder/require_written.hpp>

#include <optional>
#include <string>

#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/math/math.hpp>
#include <tg/dsl/memory/shared.hpp>
#include <tg/dsl/value/let.hpp>
#include <tg/dsl/value/var.hpp>

#include "../recording.hpp"

using namespace tg::literals;

TEST_CASE("TG315: what is made in a branch does not leave it; the message has both lines") {
  int made = 0, used = 0;
  const auto wrong = [&](auto block, recording::parameters p) {
    const auto i = block.thread.x;
    std::optional<tg::value<float>> v;
    tg::if_(i < p.n, [&] {
      v.emplace(p.x(i) * 2.0f);
      made = __LINE__ - 1;
    });
    p.y(i) = *v;
    used = __LINE__ - 1;
  };
  const std::string text = recording::message_of(wrong);
  CHECK(recording::error_of(wrong) == recording::at(315, used));
  CHECK(text.starts_with("TG315: "));
  CHECK(text.find("require_written.cpp:" + std::to_string(made)) != std::string::npos);
  CHECK(text.find("require_written.cpp:" + std::to_string(used)) != std::string::npos);
  CHECK(text.find("declare a tg::var in front of the branch") != std::string::npos);
  CHECK(recording::message_of([](auto block, recording::parameters p) {
          const auto i = block.thread.x;
          tg::var<float> v = 0.0f;
          tg::if_(i < p.n, [&] { v = p.x(i) * 2.0f; });
          p.y(i) = v;
        }) == "none");
}

TEST_CASE("TG315: a loaded number, the other side, a loop that may not run") {
  CHECK(recording::message_of([](auto block, recording::parameters p) {
          const auto i = block.thread.x;
          std::optional<tg::value<float>> v;
          tg::if_(i < p.n, [&] { v.emplace(p.x(i)); }).else_([&] { p.y(i) = *v; });
        }).starts_with("TG315"));
  CHECK(recording::message_of([](auto, recording::parameters p) {
          std::optional<tg::value<float>> v;
          tg::for_(tg::range(p.n), [&](auto j) { v.emplace(p.x(j)); });
          p.y(0_c) = *v;
        }).starts_with("TG315"));
  CHECK(recording::message_of([](auto block, recording::parameters p) {
          const auto i = block.thread.x;
          std::optional<tg::var<float>> v;
          tg::if_(i < p.n, [&] { v.emplace(0.0f); });
          *v += 1.0f;
          p.y(i) = *v;
        }).starts_with("TG315"));
}

TEST_CASE("TG121: a value, variable, view or tile of another kernel") {
  std::optional<tg::value<float>> value;
  std::optional<tg::var<float>> variable;
  std::optional<tg::inout<float>> view;
  std::optional<tg::tile<float, tg::shape_t<256>, void*>> tile;
  recording::of([&](auto block, recording::parameters p) {
    value.emplace(p.x(block.thread.x) * 2.0f);
    variable.emplace(1.0f);
    view.emplace(p.y);
    tile.emplace(tg::source_location::current());
  });
  const auto stores_value = [&](auto block, recording::parameters p) { p.y(block.thread.x) = *value; };
  CHECK(recording::error_of(stores_value) == recording::at(121, __LINE__ - 1));
  const auto stores_variable = [&](auto block, recording::parameters p) { p.y(block.thread.x) = *variable; };
  CHECK(recording::error_of(stores_variable) == recording::at(121, __LINE__ - 1));
  CHECK(recording::error_of([&](auto, recording::parameters) { *variable = 2.0f; }).starts_with("121"));
  CHECK(recording::error_of([&](auto block, recording::parameters p) {
          p.y(block.thread.x) = *value * 2.0f;
        }).starts_with("121"));
  CHECK(recording::error_of([&](auto block, recording::parameters) { (*view)(block.thread.x) = 1.0f; }).starts_with("121"));
  CHECK(recording::error_of([&](auto, recording::parameters) { (*view)(0_c) = 1.0f; }).starts_with("121"));
  CHECK(recording::error_of([&](auto block, recording::parameters) { (*tile)(block.thread.x) = 1.0f; }).starts_with("121"));
  CHECK(recording::error_of([&](auto, recording::parameters) { (*tile)(0_c) = 1.0f; }).starts_with("121"));
  CHECK(recording::error_of([&](auto block, recording::parameters p) { p.y(block.thread.x) = p.x(block.thread.x); }) == "none");
}

TEST_CASE("TG121: a value of the outer kernel in one that is recorded inside") {
  CHECK(recording::error_of([](auto block, recording::parameters outer) {
          recording::of([&](auto, recording::parameters p) { p.y(0_c) = tg::let(outer.a); });
          outer.y(block.thread.x) = 0.0f;
        }).starts_with("121"));
}

#include <tg/dsl/regs.hpp>

#include "recording.hpp"

using namespace tg::literals;

TEST_CASE("each register is its own, and indices cost nothing") {
  CHECK(recording::of([](auto, recording::parameters p) {
          tg::regs<float, 2, 2> r = 0.0f;
          r(1_c, 0_c) = p.a;
          for (int i = 0; i < 2; ++i) r(i, i) += r(1, 0);
        }).text == "mov.f32 mov.f32 mov.f32 mov.f32 mov.f32 "
                   "mov.f32 mov.f32 add.f32 mov.f32 mov.f32 mov.f32 add.f32 mov.f32");
  recording::of([](auto, recording::parameters) {
    tg::regs<float, 2, 3> r = 0.0f;
    CHECK(&r(1, 0) != &r(0, 1));
    CHECK(&r(1, 2) == &r(1_c, 2_c));
  });
}

TEST_CASE("TG119 for a C++ index outside") {
  const auto written = [](int index) {
    return [index](auto, recording::parameters) {
      tg::regs<float, 4> r = 0.0f;
      r(index) = 1.0f;
    };
  };
  const int line = __LINE__ - 4;
  CHECK(recording::error_of(written(4)) == recording::at(119, line));
  CHECK(recording::error_of(written(-1)) == recording::at(119, line));
  CHECK(recording::error_of(written(3)) == "none");
}

#include <tg/dsl/if_.hpp>

#include "recording.hpp"

TEST_CASE("the branches lie between markers") {
  CHECK(recording::of([](auto, recording::parameters p) { tg::if_(p.n < 3, [&] { (void)(p.a + p.a); }); }).text ==
        "setp.lt.u32 <if> add.f32 <endif>");
  CHECK(recording::of([](auto, recording::parameters p) {
          tg::if_(p.n < 3, [&] { (void)(p.a + p.a); }).else_([&] { (void)(p.a * p.a); });
        }).text == "setp.lt.u32 <if> add.f32 <else> mul.f32 <endif>");
}

TEST_CASE("conditions nest") {
  CHECK(recording::of([](auto, recording::parameters p) {
          const auto sum = [&] { (void)(p.a + p.a); };
          tg::if_(p.n < 3, [&] { tg::if_(p.s < 0, sum).else_(sum); }).else_(sum);
        }).text == "setp.lt.u32 <if> setp.lt.s32 <if> add.f32 <else> add.f32 <endif> <else> add.f32 <endif>");
}

#include <tg/dsl/if_.hpp>

#include "recording.hpp"

TEST_CASE("the branches lie between markers") {
  CHECK(recording::of([](auto, recording::parameters p) { tg::if_(p.n < 3, [] {}); }).text == "setp.lt.u32 <if> <endif>");
  CHECK(recording::of([](auto, recording::parameters p) { tg::if_(p.n < 3, [] {}).else_([] {}); }).text ==
        "setp.lt.u32 <if> <else> <endif>");
}

TEST_CASE("conditions nest") {
  CHECK(recording::of([](auto, recording::parameters p) {
          tg::if_(p.n < 3, [&] { tg::if_(p.s < 0, [] {}).else_([] {}); }).else_([] {});
        }).text == "setp.lt.u32 <if> setp.lt.s32 <if> <else> <endif> <else> <endif>");
}

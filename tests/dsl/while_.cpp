#include <tg/dsl/while_.hpp>

#include <tg/dsl/var.hpp>

#include "recording.hpp"

TEST_CASE("the condition is recorded before the loop and at its end") {
  CHECK(recording::of([](auto, recording::parameters p) {
          tg::var<unsigned> v = p.n;
          tg::while_([&] { return v != 0; }, [&] { v >>= 1; });
        }).text == "setp.ne.u32 mov.u32 <if> <loop> mov.u32 shr.u32 setp.ne.u32 mov.u32 <endloop> <endif>");
}

#include <tg/dsl/flow/while_.hpp>

#include <tg/dsl/value/var.hpp>

#include "../recording.hpp"

TEST_CASE("the condition is recorded before the loop and at its end") {
  CHECK(recording::of([](auto, recording::parameters p) {
          tg::var<unsigned> v = p.n;
          tg::while_([&] { return v != 0; }, [&] { v >>= 1; });
        }).text == "setp.ne.u32 mov.u32 <if> <loop> mov.u32 shr.u32 setp.ne.u32 mov.u32 <endloop> <endif>");
}

TEST_CASE("a loop whose body runs once at least tests at its end alone") {
  CHECK(recording::of([](auto, recording::parameters p) {
          tg::var<unsigned> v = p.n;
          tg::detail::repeat_while([&] { v >>= 1; }, [&] { return v != 0u; }, {});
        }).text == "mov.u32 <loop> mov.u32 shr.u32 setp.ne.u32 mov.u32 <endloop>");
}

TEST_CASE("a condition that no iteration changes is refused: TG184") {
  const auto endless = [](auto, recording::parameters p) {
    const auto go = p.n < 3;
    tg::while_([&] { return go; }, [&] { p.u(p.n) = 1u; });
  };
  CHECK(recording::error_of(endless) == recording::at(184, __LINE__ - 2));
  const auto spinning = [](auto, recording::parameters p) {
    tg::while_([&] { return p.u(p.n) < 3; }, [&] { p.u(p.n) += 1u; });
  };
  CHECK(recording::error_of(spinning) == "none");
}

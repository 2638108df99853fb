#include <tg/emulator/run/trap.hpp>

#include <doctest/doctest.h>

#include "../runner.hpp"

using namespace runner;

TEST_CASE("a trap names the thread") {
  const std::string text = failure_of(kernel_text("mov.u32 %r0, %tid.x; setp.eq.u32 %p1, %r0, 33; @%p1 trap;"), {{1}, {64}});
  CHECK(has(text, "TG430"));
  CHECK(has(text, "thread (33, 0, 0)"));
}

TEST_CASE("an assumption is asked of the threads that come by, and counts as nothing") {
  const std::string text =
      kernel_text("mov.u32 %r0, %tid.x; setp.lt.u32 %p1, %r0, 40; setp.ne.u32 %p2, %r0, 33; //tg:@%p1 assume %p1;\n"
                  "//tg:@!%p2 assume !%p2;\n//tg:@%p1 assume %p2;\n//tg:assume 1;\n");
  const std::string failed = failure_of(text, {{1}, {64}});
  CHECK(has(failed, "TG464"));
  CHECK(has(failed, "thread (33, 0, 0)"));
  bench b(text);
  options unchecked;
  unchecked.check = tg::emulator::check::checkers::none();
  counters with, without;
  b.run({{1}, {64}}, {}, unchecked, &with);
  bench(kernel_text("mov.u32 %r0, %tid.x; setp.lt.u32 %p1, %r0, 40; setp.ne.u32 %p2, %r0, 33;"))
      .run({{1}, {64}}, {}, unchecked, &without);
  CHECK_EQ(with.warp_instructions, without.warp_instructions);
}

TEST_CASE("a number that a warp is said to share is compared over the lanes that come by") {
  const auto assuming = [](const std::string& value, const std::string& multiple) {
    return kernel_text("mov.u32 %r0, %tid.x; setp.ne.u32 %p1, %r0, 33; " + value + "\n//tg:@%p1 assume.warp.b32 %r1, " +
                       multiple + ";\n");
  };
  bench(assuming("shr.u32 %r1, %r0, 5;", "1")).run({{1}, {64}}, {});                    // each warp has its own
  bench(assuming("mov.u32 %r1, 12; @!%p1 mov.u32 %r1, 5;", "4")).run({{1}, {64}}, {});  // the lane that differs is not asked
  for (const auto& [value, multiple] : {std::pair{"shr.u32 %r1, %r0, 4;", "1"}, std::pair{"mov.u32 %r1, 6;", "4"}}) {
    const std::string failed = failure_of(assuming(value, multiple), {{1}, {64}});
    CHECK(has(failed, "TG464"));
  }
  CHECK(has(failure_of(assuming("mov.u32 %r1, %r0;", "1"), {{1}, {64}}), "thread (1, 0, 0)"));
}

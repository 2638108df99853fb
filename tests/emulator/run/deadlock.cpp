#include <tg/emulator/run/deadlock.hpp>

#include <doctest/doctest.h>

#include "../runner.hpp"

using namespace runner;

TEST_CASE("lanes that wait for each other are named, and a clean twin runs") {
  const auto waiting = [](const char* threads) {
    return kernel_text(std::string("mov.u32 %r0, %tid.x; setp.lt.u32 %p1, %r0, 32; @%p1 barrier.sync 1, ") + threads + ";");
  };
  const std::string text = failure_of(waiting("64"), {{1}, {64}});
  CHECK(has(text, "TG421"));
  CHECK(has(text, "deadlock in block (0, 0, 0)"));
  CHECK(has(text, "no thread can run"));
  CHECK_EQ(failure_of(waiting("32"), {{1}, {64}}), "");
}

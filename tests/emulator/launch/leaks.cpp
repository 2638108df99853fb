#include <tg/emulator/launch/leaks.hpp>

#include <doctest/doctest.h>

TEST_CASE("a leak names the allocation") {
  const tg::emulator::check::finding f = tg::emulator::check::leak(0x1000, 64, "its context");
  CHECK(static_cast<int>(f.code) == 419);
  CHECK(to_text(f).starts_with("TG419 leak: Leaked 64 bytes at 0x1000\n"));
  CHECK(to_text(f).find("end of its context") != std::string::npos);
}

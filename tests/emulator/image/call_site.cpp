#include <tg/emulator/image/call_site.hpp>

#include <doctest/doctest.h>

TEST_CASE("what a call hands over lies in memory until it has a slot") {
  tg::emulator::call_value v;
  CHECK_FALSE(v.is_slot());
  v.slot = {7, 8};
  CHECK(v.is_slot());
}

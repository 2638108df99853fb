#include <tg/emulator/image/system_function.hpp>

#include <doctest/doctest.h>

TEST_CASE("functions of the system are known by their names") {
  using tg::emulator::system_function;
  static_assert(tg::emulator::to_system_function("vprintf") == system_function::vprintf);
  CHECK(tg::emulator::to_system_function("__assertfail") == system_function::assertfail);
  CHECK(tg::emulator::to_system_function("memmove") == system_function::memmove);
  CHECK(tg::emulator::to_system_function("mallo") == system_function::none);
  CHECK(tg::emulator::to_system_function("") == system_function::none);
}

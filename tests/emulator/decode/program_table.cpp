// The function by which a program knows its emulator.
#include <tg/driver/emulated.hpp>
#include <tg/emulator.hpp>

#include <doctest/doctest.h>

TEST_CASE("a program with the emulator knows its table") { CHECK(tg::driver::emulated() == &tg::emulator::driver_table()); }

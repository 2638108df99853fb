#include <tg/driver/emulated.hpp>

#include <doctest/doctest.h>

TEST_CASE("a program that nobody gave an emulator has none") { CHECK(tg::driver::emulated() == nullptr); }

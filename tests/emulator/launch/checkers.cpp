#include <tg/emulator/launch/checkers.hpp>

#include <doctest/doctest.h>

using namespace tg::emulator::check;

TEST_CASE("the names of checkers are read as switches") {
  CHECK(to_checkers("all") == checkers::all());
  CHECK(to_checkers("none") == checkers::none());
  checkers wanted = checkers::none();
  wanted.race = wanted.leak = true;
  CHECK(to_checkers("race,leak") == wanted);
  CHECK(to_checkers("memory,init,race,sync,leak") == checkers::all());
  for (const char* wrong : {"", "races", "memory,", "memory;init", "Memory", "all,,race"}) {
    CAPTURE(wrong);
    CHECK_FALSE(to_checkers(wrong));
  }
}

TEST_CASE("strict is a word of its own, and not one of all") {
  CHECK_FALSE(checkers::all().strict);
  checkers wanted = checkers::none();
  wanted.race = wanted.strict = true;
  CHECK(to_checkers("strict") == wanted);
  wanted = checkers::all();
  wanted.strict = true;
  CHECK(to_checkers("all,strict") == wanted);
  CHECK(to_checkers("strict,all") == wanted);
}

TEST_CASE("only some checkers follow every access") {
  CHECK_FALSE(checkers{}.watches());
  CHECK(checkers{}.memory);
  CHECK(checkers::all().watches());
  checkers leak = checkers::none();
  leak[checker::leak] = true;
  CHECK(leak.leak);
  CHECK_FALSE(leak.watches());
}

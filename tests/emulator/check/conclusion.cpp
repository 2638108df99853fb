#include <tg/emulator/check/conclusion.hpp>

#include "planted.hpp"

TEST_CASE("all that was found is handed over, the first of it thrown") {
  const std::string ptx = planted::read("tests/emulator/check/kernels/shared_races.ptx");
  const planted::outcome both = planted::run(ptx, {"tile", {{1}, {64}}, "", "", {}, {}, 0}, 0);
  REQUIRE(both.found.size() == 2);
  CHECK(both.error.starts_with("TG" + std::to_string(static_cast<int>(both.found[0].code))));
  CHECK(both.found[0].code != both.found[1].code);
}

TEST_CASE("an error that ends the launch comes first") {
  const std::string ptx = planted::read("tests/emulator/check/kernels/memory.ptx");
  const planted::outcome got = planted::run(ptx, {"past_end", {{1}, {256}}, "", "", {}, {}, 0}, 0);
  CHECK(got.error.starts_with("TG402"));
  REQUIRE(got.found.size() == 2);
  CHECK(static_cast<int>(got.found[0].code) == 402);
  CHECK(static_cast<int>(got.found[1].code) == 413);
}

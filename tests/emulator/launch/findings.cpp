#include <tg/emulator/launch/findings.hpp>

#include <doctest/doctest.h>

using namespace tg::emulator::check;

TEST_CASE("each pair of instructions is listed once, with a count") {
  findings all;
  const auto named = [](const char* what) {
    return [what] {
      finding f;
      f.what = what;
      return f;
    };
  };
  all.add({416, 1, 2}, named("first"));
  all.add({417, 1, 2}, named("second"));
  all.add({416, 1, 2}, named("never made"));
  REQUIRE(all.list().size() == 2);
  CHECK(all.list()[0].what == "first");
  CHECK(all.list()[0].count == 2);
  CHECK(all.list()[1].count == 1);
}

TEST_CASE("the list ends, the counting does not") {
  findings all;
  for (std::uint32_t round = 0; round < 2; ++round)
    for (std::uint32_t k = 0; k < 2 * findings::most; ++k) all.add({416, k, k}, [] { return finding{}; });
  CHECK(all.list().size() == findings::most);
  CHECK(all.list().back().count == 2);
}

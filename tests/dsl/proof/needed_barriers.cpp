#include <tg/dsl/proof/needed_barriers.hpp>

#include <doctest/doctest.h>

TEST_CASE("a line is redundant where none of its barriers is needed") {
  tg::proof::needed_barriers all;
  for (const unsigned b : {3u, 5u, 7u, 9u}) all.add(b);
  all.need(5);
  const auto lines = [&](auto line_of) {
    return all.redundant([&](std::uint32_t b) { return tg::source_location{"a.cpp", line_of(static_cast<int>(b))}; });
  };
  const auto apart = lines([](int b) { return 10 * b; });
  REQUIRE(apart.size() == 3);
  CHECK(apart[0].line == 30);
  CHECK(apart[2].line == 90);
  const auto unrolled = lines([](int b) { return b < 9 ? 1 : 2; });
  REQUIRE(unrolled.size() == 1);
  CHECK(unrolled[0].line == 2);
}

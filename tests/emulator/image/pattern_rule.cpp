#include <tg/emulator/image/pattern_rule.hpp>

#include <doctest/doctest.h>

TEST_CASE("an operation without a rule has the first, comparisons the last") {
  using tg::emulator::pattern_rule;
  CHECK(pattern_rule{} == pattern_rule::none);
  CHECK(pattern_rule::wide_unsigned < pattern_rule::less_signed);
  CHECK(pattern_rule::less_64 < pattern_rule::at_most_signed);
}

#include <tg/dsl/codes.hpp>

#include <doctest/doctest.h>

#include <algorithm>

namespace {

bool all_between(const auto& table, int first, int last) {
  return std::ranges::all_of(table, [=](const tg::code_info& c) { return c.number >= first && c.number <= last; });
}

}  // namespace

TEST_CASE("the language has the numbers from 100 on, the analysis those from 200 on") {
  CHECK(all_between(tg::language_codes, 100, 199));
  CHECK(all_between(tg::analysis_codes, 200, 299));
  CHECK_FALSE(all_between(tg::language_codes, 102, 199));
}

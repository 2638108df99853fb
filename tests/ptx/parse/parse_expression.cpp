#include <tg/ptx/parse/parse_expression.hpp>

#include <doctest/doctest.h>

#include <bit>
#include <string>
#include <utility>

using namespace tg::ptx;

namespace {

detail::constant value(const std::string& text) {
  detail::lexer in(text);
  const auto out = detail::expression{in}();
  if (in.peek().kind != detail::word_kind::end) in.fail(syntax_error, "something is left over");
  return out;
}

}  // namespace

TEST_CASE("constant expressions have C's precedence") {
  const std::pair<const char*, std::int64_t> cases[] = {
      {"1 + 2 * 3", 7},
      {"(1 + 2) * 3", 9},
      {"-5", -5},
      {"- -5", 5},
      {"~0", -1},
      {"!3", 0},
      {"7 / -2", -3},
      {"7 % -2", 1},
      {"1 << 4 >> 2", 4},
      {"10 - 3 - 2", 5},
      {"1 | 2 ^ 3 & 1", 3},
      {"1 < 2 == 1", 1},
      {"2 >= 3", 0},
      {"1 ? 5 : 6", 5},
      {"0 ? 5 : 0 ? 6 : 7", 7},
      {"1 && 0 || 1", 1},
      {"WARP_SZ * 2", 64},
      {"1 << 64", 0},
      {"-1 >> 70", -1},
      {"(.s64) 5 + (.u64)3", 8},
      {"-9223372036854775807 - 1", INT64_MIN},
      {"(0-9223372036854775807-1) / -1", INT64_MIN},
  };
  for (const auto& c : cases) {
    CAPTURE(c.first);
    CHECK(static_cast<std::int64_t>(value(c.first).bits) == c.second);
  }
}

TEST_CASE("floating-point numbers may be negated, no more") {
  CHECK(value("-1.5").bits == std::bit_cast<std::uint64_t>(-1.5));
  CHECK(value("-0f3F800000").bits == 0xbf800000);
  CHECK_THROWS_WITH_AS(value("1.0 + 2"), doctest::Contains("TG304"), tg::error);
}

TEST_CASE("what is no expression is refused") {
  CHECK_THROWS_WITH_AS(value("1 / 0"), doctest::Contains("TG304: division by zero"), tg::error);
  CHECK_THROWS_WITH_AS(value("5 % (2 - 2)"), doctest::Contains("TG304"), tg::error);
  CHECK_THROWS_WITH_AS(value("1 +"), doctest::Contains("TG300"), tg::error);
  CHECK_THROWS_WITH_AS(value("(1"), doctest::Contains("TG300"), tg::error);
  CHECK_THROWS_WITH_AS(value("1 ? 2"), doctest::Contains("TG300"), tg::error);
  std::string deep(100000, '-');
  deep += '1';
  CHECK_THROWS_WITH_AS(value(deep), doctest::Contains("TG306"), tg::error);
}

#include <tg/explain/number.hpp>

#include <doctest/doctest.h>

#include "../base/comma_locale.hpp"

using namespace tg::report;

TEST_CASE("numbers are written as people read them") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1000) == "1,000");
  CHECK(grouped(1234567) == "1,234,567");
  CHECK(rounded(0.01234) == "0.0123");
  CHECK(rounded(12.34) == "12.3");
  CHECK(rounded(4567.8) == "4,568");
  CHECK(percent(0) == "0 %");
  CHECK(percent(0.001) == "<1 %");
  CHECK(percent(0.374) == "37 %");
  CHECK(count(1, "sector") == "1 sector");
  CHECK(count(2048, "sector") == "2,048 sectors");
}

TEST_CASE("places are short") {
  CHECK(place("/a/b/c.hpp", 7) == "c.hpp:7");
  CHECK(place("c.hpp", 7) == "c.hpp:7");
  CHECK(place("", 0) == "an unknown line");
}

TEST_CASE("numbers have points where the locale has commas") {
  const comma_locale here;
  CHECK(rounded(12.34) == "12.3");
  CHECK(rounded(4567.8) == "4,568");
}

#include <tg/base/number_text.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

#include "comma_locale.hpp"

using tg::fixed_text;
using tg::general_text;
using tg::to_double;

namespace {

std::string printed(const char* format, int digits, double x) {
  char out[512];
  std::snprintf(out, sizeof out, format, digits, x);
  return out;
}

}  // namespace

TEST_CASE("numbers are written and read as C does it in its own locale") {
  std::mt19937_64 random(1);
  for (int k = 0; k < 2000; ++k) {
    const double x =
        std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())), static_cast<int>(random() % 300) - 200);
    for (const int digits : {0, 1, 3, 6}) {
      CHECK(fixed_text(x, digits) == printed("%.*f", digits, x));
      CHECK(general_text(x, digits) == printed("%.*g", digits, x));
    }
    const std::string text = printed("%.*g", 17, x);
    CHECK(to_double(text) == x);
  }
  CHECK(fixed_text(std::numeric_limits<double>::max(), 1) == printed("%.*f", 1, std::numeric_limits<double>::max()));
}

TEST_CASE("what no double holds is read as strtod reads it") {
  for (const char* text : {"1e400", "-1e400", "1e-400", "-1e-400", "1e99999999999999999999", "1e-99999999999999999999", "0",
                           "1.", ".5", "2.5x", "x", "", "4.9e-324", "123.456e2"}) {
    CAPTURE(text);
    CHECK(to_double(text) == std::strtod(text, nullptr));
    CHECK(std::signbit(to_double(text)) == std::signbit(std::strtod(text, nullptr)));
  }
  const std::string zeros(400, '0');
  CHECK(to_double("1" + zeros) == std::numeric_limits<double>::infinity());
  CHECK(to_double("0." + zeros + "1") == 0);
}

TEST_CASE("a comma in the program's locale changes nothing") {
  const comma_locale here;
  if (here.is_set()) {
    CHECK(printed("%.*f", 1, 1.5) == "1,5");  // what would happen
    CHECK(std::strtod("1.5", nullptr) == 1);
  }
  CHECK(fixed_text(1234.5, 1) == "1234.5");
  CHECK(general_text(0.0125, 3) == "0.0125");
  CHECK(to_double("1.5") == 1.5);
}

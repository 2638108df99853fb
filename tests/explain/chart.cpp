#include <tg/explain/chart.hpp>

#include <doctest/doctest.h>

#include "../base/comma_locale.hpp"
#include "sample.hpp"

using namespace tg::report;

namespace {

template <class Draw> std::string drawn(Draw draw, const tg::explanation& e) {
  markup out;
  draw(out, e);
  return out.take();
}

}  // namespace

TEST_CASE("the curve of registers has its peak where the most are") {
  const std::string svg = drawn(draw_pressure, sample::made());
  CHECK(sample::complaint_about(svg) == "");
  CHECK(sample::contains(svg, "registers over the program, 5 at most"));
  CHECK(sample::contains(svg, "5 registers at instruction 1"));
  CHECK(sample::contains(svg, "ptxas, estimated: 10"));
  CHECK(sample::complaint_about(drawn(draw_pressure, tg::explanation{})) == "");
}

TEST_CASE("the kernel stands under its roof") {
  tg::explanation e = sample::made();
  const std::string svg = drawn(draw_roofline, e);
  CHECK(sample::complaint_about(svg) == "");
  CHECK(sample::occurrences(svg, "<circle class=\"here\"") == 1);
  CHECK(sample::contains(svg, rounded(e.cost.arithmetic_intensity()) + " operations per byte"));
  CHECK_FALSE(sample::contains(svg, "nan"));
  e.cost.flops = 0;
  CHECK(sample::occurrences(drawn(draw_roofline, e), "<circle") == 0);
  e.cost.flops = 1000000000;
  CHECK(sample::occurrences(drawn(draw_roofline, e), "<circle class=\"here\"") == 1);
}

TEST_CASE("coordinates have points where the locale has commas") {
  const tg::explanation e = sample::made();
  const std::string pressure = drawn(draw_pressure, e), roofline = drawn(draw_roofline, e);
  const comma_locale here;
  CHECK(drawn(draw_pressure, e) == pressure);
  CHECK(drawn(draw_roofline, e) == roofline);
}

#include <tg/analysis/division_cases.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <random>

namespace {

using namespace tg::analysis;

using numbers = std::array<std::int64_t, 32>;

/// Whether lanes that hold `actual` are what `said` speaks of: in each row they differ from the offsets by one number, a
/// multiple of what the row's base and strides are multiples of.
bool speaks_of(const lane_value& said, const numbers& actual) {
  for (std::size_t l = 0; l < 32; ++l)
    for (std::size_t m = 0; m <= l; ++m) {
      bool is_one_row = true;
      std::int64_t unit = said.divisor;
      for (int k = 0; k < said.stride_count; ++k) {
        const lane_stride& s = said.strides[std::size_t(k)];
        is_one_row = is_one_row && s.coef[l] == s.coef[m];
        unit = gcd(unit, s.kind == lane_term::grouped ? s.divisor : s.coef[l] * s.divisor);
      }
      if (!is_one_row) continue;
      const std::int64_t own = actual[l] - said.offset[l];
      if (own != actual[m] - said.offset[m] || (unit == 0 ? own != 0 : own % unit != 0)) return false;
    }
  return true;
}

struct division {
  numbers x{};
  std::int64_t u = 1;
  numbers quotient(division_rule rule) const { return each(rule, true); }
  numbers remainder(division_rule rule) const { return each(rule, false); }

 private:
  numbers each(division_rule rule, bool is_quotient) const {
    numbers out{};
    for (std::size_t l = 0; l < 32; ++l) {
      const std::int64_t a = rule == division_rule::unsigned_ ? std::int64_t{static_cast<std::uint32_t>(x[l])} : x[l];
      const bool is_floor = rule == division_rule::floor_;
      const std::int64_t by = rule == division_rule::unsigned_ ? std::int64_t{static_cast<std::uint32_t>(u)} : u;
      out[l] = is_quotient ? (is_floor ? floor_div(a, by) : a / by) : is_floor ? floor_mod(a, by) : a % by;
    }
    return out;
  }
};

struct tally { int judged = 0, missed = 0; };

/// Random lanes, bases and divisors; `last` of the cases are looked at.
tally judge(unsigned seed, int most_cases) {
  std::mt19937 random(seed);
  const auto below = [&](int n) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(n)); };
  const auto of = [&](std::initializer_list<std::int64_t> all) { return all.begin()[below(static_cast<int>(all.size()))]; };
  tally out;
  for (int n = 0; n < 4000; ++n) {
    const auto rule = static_cast<division_rule>(below(3));
    const std::int64_t stride = of({1, 1, 1, 2, 4}), first = of({0, 0, 32, 5, -1, -3}), base = of({0, 1, 1, 2, 4, 32, 256});
    const std::int64_t step = of({1, 1, 1, 2, 4, 32, 48});
    lanes offset{};
    for (int l = 0; l < 32; ++l) offset[std::size_t(l)] = (below(8) == 0 ? l / 2 : l) * stride + first;
    const bool is_known = below(3) == 0;
    const std::int64_t constant_u = rule == division_rule::floor_ ? std::int64_t{1} << below(12) : 1 + below(90);
    const lane_value x = add(exact(offset), uniform(base));
    const division_cases cases(x, is_known ? constant(constant_u) : uniform(step), rule);
    if (!cases.is_known()) continue;
    for (int run = 0; run < 8; ++run) {
      division d;
      d.u = is_known ? constant_u : step * (1 + below(400));
      const std::int64_t start = base * below(run == 0 ? 1 : 1000);
      std::int64_t least = INT64_MAX, most = INT64_MIN;
      for (std::size_t l = 0; l < 32; ++l) {
        d.x[l] = start + offset[l];
        least = std::min(least, d.x[l]);
        most = std::max(most, d.x[l]);
      }
      if (!is_known && d.u <= most - least) continue;  // a small one
      ++out.judged;
      bool is_spoken_of = false;
      for (int c = 0; c < std::min(cases.count(), most_cases) && !is_spoken_of; ++c)
        is_spoken_of = speaks_of(cases.remainder(c), d.remainder(rule)) && speaks_of(cases.quotient(c), d.quotient(rule));
      out.missed += is_spoken_of ? 0 : 1;
    }
  }
  return out;
}

}  // namespace

TEST_CASE("one of the cases speaks of what each division does to the lanes") {
  const tally t = judge(1, 1000);
  MESSAGE(t.judged, " divisions judged");
  CHECK(t.judged > 10000);
  CHECK(t.missed == 0);
}

TEST_CASE("a case that is left out is missed") { CHECK(judge(1, 1).missed > 100); }

TEST_CASE("a contiguous index falls once at each lane, and not at all") {
  const lane_value lane = thread_coordinate({64, 1, 1}, axis::x, 1);
  const division_cases any(add(lane, uniform(64)), uniform(1), division_rule::unsigned_);
  CHECK(any.count() == 32);
  CHECK(any.may_be_small());
  CHECK(any.may_be_one());
  CHECK(any.is_dense());
  CHECK_FALSE(any.falls(0));
  CHECK(any.falls(1));
  const division_cases wide(add(lane, uniform(64)), uniform(64), division_rule::unsigned_);
  CHECK(wide.count() == 1);
  CHECK_FALSE(wide.may_be_small());
  const division_cases known(add(lane, uniform(1)), constant(12), division_rule::unsigned_);
  CHECK(known.count() == 12);
  CHECK_FALSE(known.falls(3));
}

TEST_CASE("lanes that are counted from 0 are smaller than a divisor that is not small") {
  const division_cases cases(thread_coordinate({64, 1, 1}, axis::x, 0), uniform(1), division_rule::unsigned_);
  REQUIRE(cases.count() == 1);
  CHECK(is_exact(cases.remainder(0)));
  CHECK(is_exact(cases.quotient(0)));
}

TEST_CASE("what has unknown strides has no cases") {
  const lane_value rows = mul(thread_coordinate({8, 8, 1}, axis::y, 0), stride());
  CHECK_FALSE(division_cases(rows, uniform(1), division_rule::unsigned_).is_known());
  CHECK_FALSE(division_cases(unknown(), uniform(1), division_rule::unsigned_).is_known());
}

TEST_CASE("a divisor that is known to be large falls once at most") {
  lane_value x;
  x.divisor = 32;
  for (std::size_t l = 0; l < 32; ++l) x.offset[l] = static_cast<std::int64_t>(l);
  const division_cases cases(x, uniform(1), division_rule::unsigned_);
  CHECK(cases.may_be_small());
  CHECK(cases.may_be_small(31));
  CHECK_FALSE(cases.may_be_small(32));
  CHECK(cases.may_be_one(1));
  CHECK_FALSE(cases.may_be_one(2));
}

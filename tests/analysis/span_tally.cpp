#include <tg/analysis/span_tally.hpp>

#include <doctest/doctest.h>

#include <algorithm>

#include "brute_force.hpp"

using namespace tg::analysis;
using namespace tg::analysis::detail;

TEST_CASE("counts over alignments are the extremes of counts at each") {
  std::mt19937 random{13};
  for (int round = 0; round < 3000; ++round) {
    const request r = brute_force::random_request(random);
    const int step = 1 << random() % 6;
    int most = 0;
    int least = 1000;
    int most_packed = 0;
    for (int shift = 0; shift < 32; shift += step) {
      request moved = r;
      for (auto& a : moved.address_bytes) a += shift;
      const auto count = brute_force::count_global(moved);
      most = std::max(most, count.sectors);
      least = std::min(least, count.sectors);
      most_packed = std::max(most_packed, count.sectors - count.slack);
    }
    const byte_runs runs = collect_runs(r.address_bytes, r.access_bytes, r.active);
    const span_count count = count_spans(runs, 32, step, {});
    CHECK(count.most == most);
    CHECK(count.least == least);
    CHECK(count.most_packed == most_packed);
  }
}

TEST_CASE("rows whose strides are whole sectors are at their worst together, others each for itself") {
  byte_runs runs;
  runs.count = 2;
  runs.at[0] = {0, 32, 0, 0};
  runs.at[1] = {16, 32, 1, 1};
  lane_stride s{8, {}};
  s.coef[1] = 1;
  const span_count together = count_spans(runs, 32, 16, {&s, 1, 4});
  CHECK(together.most == 3);
  CHECK(together.least == 2);
  const span_count apart = count_spans(runs, 32, 16, {&s, 1, 1});
  CHECK(apart.most == 4);
  CHECK(count_spans(runs, 32, 0, {&s, 1, 4}).most == 2);
}

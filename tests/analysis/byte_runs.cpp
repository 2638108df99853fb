#include <tg/analysis/byte_runs.hpp>

#include <doctest/doctest.h>

#include "brute_force.hpp"

using namespace tg::analysis;

TEST_CASE("runs are sorted, apart from each other, and cover exactly the bytes touched") {
  std::mt19937 random{11};
  for (int round = 0; round < 5000; ++round) {
    const request r = brute_force::random_request(random);
    std::set<std::int64_t> bytes;
    for (const auto& lane : brute_force::bytes_of_lanes(r)) bytes.insert(lane.begin(), lane.end());
    const byte_runs runs = collect_runs(r.address_bytes, r.access_bytes, r.active);
    std::set<std::int64_t> covered;
    for (int i = 0; i < runs.count; ++i) {
      CHECK(runs.at[i].begin < runs.at[i].end);
      if (i > 0) CHECK(runs.at[i - 1].end < runs.at[i].begin);
      for (auto byte = runs.at[i].begin; byte < runs.at[i].end; ++byte) covered.insert(byte);
    }
    CHECK(covered == bytes);
  }
}

TEST_CASE("lanes of different rows never share a run") {
  lane_stride s{1, {}};
  lanes at{};
  for (int l = 0; l < warp_lanes; ++l) {
    s.coef[l] = l % 4;
    at[l] = l / 4 * 4;
  }
  const byte_runs runs = collect_runs(at, 4, all_lanes, {&s, 1});
  CHECK(runs.count == 4);
  CHECK(runs.touched_bytes() == 128);
  for (int i = 0; i < runs.count; ++i) CHECK(s.coef[runs.at[i].lane] == i);
  CHECK(collect_runs(at, 4, 0).count == 0);
}

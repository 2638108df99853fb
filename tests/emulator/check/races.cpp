#include <tg/emulator/check/races.hpp>

#include "planted.hpp"

using planted::fault;
using planted::launch_shape;

namespace {

const std::vector<int> counting = [] {
  std::vector<int> out;
  for (int k = 0; k < 256; ++k) out.push_back(k * 3 + 1);
  return out;
}();

}  // namespace

TEST_CASE("races in shared memory are found, their clean twins are silent") {
  planted::check(
      "shared_races",
      {
          {"tile",
           {{1}, {64}},
           "TG416",
           "t[63 - threadIdx.x]",
           {"Race reported between", "Read access", "Write access", "in __shared__ memory",
            "bytes inside '_ZZ4tileE1t'", "barrier"},
           counting},
          {"tile_right", {{1}, {64}}, "", "", {}, counting},
          {"reuse", {{1}, {64}}, "TG416", "t[threadIdx.x] = in[threadIdx.x] + k", {"Write access"}, counting},
          {"reuse_right", {{1}, {64}}, "", "", {}, counting},
          {"warp_sum", {{1}, {32}}, "TG416", "t[3 - i]", {"__syncwarp"}, counting},
          {"warp_sum_right", {{1}, {32}}, "", "", {}, counting},
          {"counter", {{1}, {64}}, "TG416", "n = 0;", {"Atomic access"}},
          {"counter_right", {{1}, {64}}},
          {"bytes", {{1}, {64}}, "TG416", "t[threadIdx.x / 2] =", {"0 bytes inside"}, counting},
          {"bytes_right", {{1}, {64}}, "", "", {}, counting},
      });
}

TEST_CASE("races in global memory are found, their clean twins are silent") {
  const launch_shape two{{2}, {32}}, four{{4}, {32}};
  planted::check(
      "global_races",
      {
          {"mixed", two, "TG417", "p[0] = 7", {"Atomic access", "in __global__ memory", "of block (0, 0, 0)"}},
          {"mixed_right", two},
          {"checked", four, "TG417", "if (p[0] < v)", {"Read access", "Atomic access"}},
          {"checked_right", four},
          {"outside_lock", four, "TG417", "out[1] = blockIdx.x", {"Write access and Write access"}},
          {"outside_lock_right", four},
          {"entry_fence", four, "TG417", "out[0] += 1"},
          {"exit_fence", four, "TG417", "out[0] += 1"},
          {"lock_right", four},
          {"flag", two, "TG417", "out[0] = p[1]", {"p", "fence and an atomic flag"}},
          {"flag_right", two},
          {"flag_acquire_right", two},
          {"block_scope", two, "TG417", "out[0] = p[1]"},
          {"block_atomics", two, "TG418", "", {"scope of one block", ".gpu"}},
          {"block_atomics_right", two},
          {"ticket", four, "TG417", "p[1 + "},
          {"ticket_right", four},
          {"neighbours", two, "TG417", "p["},
          {"neighbours_right", two},
          {"chain", four, "TG417", "p[2 * blockIdx.x"},
          {"chain_right", four},
          {"grid_right", two},
      });
}

TEST_CASE("a racy program whose answer depends on the seed is reported for every seed") {
  const std::string ptx = planted::read("tests/emulator/check/kernels/shared_races.ptx");
  const fault racy{"tile", {{1}, {64}}, "TG416", "", {}, counting};
  std::vector<std::vector<int>> answers;
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    const planted::outcome plain = planted::run(ptx, racy, seed, planted::checkers::none());
    CHECK(plain.error == "");
    if (std::find(answers.begin(), answers.end(), plain.b) == answers.end()) answers.push_back(plain.b);
    planted::checkers only_race = planted::checkers::none();
    only_race.race = true;
    CHECK(planted::run(ptx, racy, seed, only_race).error.starts_with("TG416"));
  }
  CHECK(answers.size() > 1);
}

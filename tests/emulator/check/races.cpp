#include <tg/emulator/check/races.hpp>

#include <algorithm>

#include "planted.hpp"

using planted::fault;
using planted::launch_shape;

namespace {

const tg::dynamic_array<int> counting = [] {
  tg::dynamic_array<int> out;
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
           {"Race reported between", "Read access", "Write access", "in __shared__ memory", "bytes inside '_ZZ4tileE1t'",
            "barrier"},
           counting},
          {"tile_right", {{1}, {64}}, "", "", {}, counting},
          {"reuse", {{1}, {64}}, "TG416", "t[threadIdx.x] = in[threadIdx.x] + k", {"Write access"}, counting},
          {"reuse_right", {{1}, {64}}, "", "", {}, counting},
          {"warp_sum", {{1}, {32}}, "TG416", "t[3 - i]", {"__syncwarp"}, counting},
          {"warp_sum_right", {{1}, {32}}, "", "", {}, counting},
          {"counter", {{1}, {64}}, "TG416", "n = 0;", {"Atomic access"}},
          {"counter_right", {{1}, {64}}},
          {"bytes", {{1}, {64}}, "TG416", "t[threadIdx.x / 2] =", {"0 bytes inside", "let one thread write"}, counting},
          {"bytes_right", {{1}, {64}}, "", "", {}, counting},
      });
}

TEST_CASE("races in global memory are found, their clean twins are silent") {
  const launch_shape two{{2}, {32}}, four{{4}, {32}};
  planted::check("global_races",
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
                     {"flag", two, "TG417", "out[0] = p[1]", {"p", "atomic flag with a fence before it"}},
                     {"flag_right", two},
                     {"flag_acquire_right", two},
                     {"block_scope", two, "TG417", "out[0] = p[1]"},
                     {"block_atomics", two, "TG418", "", {"scope of one block", ".gpu"}},
                     {"block_atomics_right", two},
                     {"ticket", four, "TG417", "p[1 + "},
                     {"ticket_right", four},
                     {"reset", four, "TG417", "p[0] = 0", {"Atomic access and Write access"}},
                     {"reset_right", four},
                     {"reset_right", {{100}, {32}}},
                     {"reset_lanes_right", four},
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
  tg::dynamic_array<tg::dynamic_array<int>> answers;
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

TEST_CASE("a missing fence or acquire between blocks is found under every order of them") {
  const std::string ptx = planted::read("tests/emulator/check/kernels/global_races.ptx");
  const launch_shape two{{2}, {32}}, four{{4}, {32}};
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    for (const fault& f : {fault{"flag", two}, fault{"block_scope", two}, fault{"ticket", four}, fault{"entry_fence", four},
                           fault{"exit_fence", four}, fault{"chain", four}}) {
      CAPTURE(f.kernel);
      const planted::outcome got = planted::run(ptx, f, seed);
      CHECK(std::ranges::any_of(got.found, [](const auto& each) { return static_cast<int>(each.code) == 417; }));
    }
    for (const fault& f : {fault{"flag_right", two}, fault{"flag_acquire_right", two}, fault{"ticket_right", four},
                           fault{"lock_right", four}, fault{"chain_right", four}}) {
      CAPTURE(f.kernel);
      CHECK(planted::run(ptx, f, seed).error == "");
    }
  }
}

TEST_CASE("a race in a branch is found by a seed under which a block takes it") {
  const std::string ptx = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry glance(.param .u64 p, .param .u64 out)
{
  .reg .pred %q; .reg .b32 %r<5>; .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [out];
  mov.u32 %r1, %ctaid.x;
  setp.eq.u32 %q, %r1, 0;
  @%q bra reader;
  st.global.u32 [%rd1+4], 42;
  membar.gl;
  st.volatile.global.u32 [%rd1], 1;
  ret;
reader:
  ld.volatile.global.u32 %r2, [%rd1];
  setp.eq.u32 %q, %r2, 0;
  @%q bra done;
  ld.global.u32 %r3, [%rd1+4];
  st.global.u32 [%rd2], %r3;
done:
  ret;
}
)";
  int found = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const planted::outcome got = planted::run(ptx, {"glance", {{2}, {1}}}, seed);
    if (seed == 0) CHECK(got.error == "");  // the reader comes first and sees no flag
    found += got.error.starts_with("TG417");
  }
  CHECK(found > 5);
  CHECK(found < 35);
}

TEST_CASE("of several lanes that read a word, a report names one that nothing orders") {
  // All lanes of two blocks read a word; lane 0 announces the end of its block, and that of the last block writes the word.
  const auto ptx = [](std::string_view between) {
    return std::string(R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry last(.param .u64 p, .param .u64 out)
{
  .reg .pred %q; .reg .b32 %r<5>; .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  ld.global.u32 %r2, [%rd1+4];
)") + std::string(between) +
           R"(
  setp.ne.u32 %q, %r1, 0;
  @%q bra done;
  atom.acq_rel.gpu.global.add.u32 %r3, [%rd1], 1;
  setp.ne.u32 %q, %r3, 1;
  @%q bra done;
  st.global.u32 [%rd1+4], 42;
done:
  ret;
}
)";
  };
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const planted::outcome got = planted::run(ptx(""), {"last", {{2}, {32}}}, seed);
    REQUIRE(got.found.size() == 1);
    CHECK(static_cast<int>(got.found[0].code) == 417);
    CHECK(got.found[0].at.thread[0] == 0);
    CHECK(got.found[0].other->thread[0] != 0);
    CHECK(planted::run(ptx("bar.warp.sync 0xffffffff;"), {"last", {{2}, {32}}}, seed).error == "");
  }
}

#include <tg/emulator/check/watch.hpp>

#include <algorithm>

#include "planted.hpp"
#include "random_accesses.hpp"

using planted::launch_shape;

TEST_CASE("copies read before their wait and wrong mbarriers are found, their clean twins are silent") {
  const launch_shape one{{1}, {64}};
  tg::dynamic_array<int> counting;
  for (int k = 0; k < 256; ++k) counting.push_back(3 * k + 1);
  planted::check("async", {
                              {"early_read", one, "TG416", "t[63 - threadIdx.x]", {"Async Write access"}, counting},
                              {"early_read_right", one, "", "", {}, counting},
                              {"own_wait", one, "TG416", "t[63 - threadIdx.x]", {"Async Write access"}, counting},
                              {"stages", one, "TG416", "t[k & 1][63 - threadIdx.x]", {"Async Write access"}, counting},
                              {"stages_right", one, "", "", {}, counting},
                              {"no_wait", one, "TG416", "t[63 - threadIdx.x]", {}, counting},
                              {"wait_right", one, "", "", {}, counting},
                              {"wrong_count", one, "TG452", ""},
                              {"missing_arrival", one, "TG421", ""},
                              {"double_init", one, "TG451", "mbarrier.init"},
                          });
}

TEST_CASE("memory of bulk copies and products that is touched too early is found, the clean twins are silent") {
  const launch_shape one{{1}, {128}};
  tg::dynamic_array<int> counting;
  for (int k = 0; k < 256; ++k) counting.push_back(3 * k + 1);
  const char* const fence = "run fence.proxy.async";
  planted::check("bulk",
                 {
                     {"early_read", one, "TG416", "t[127 - threadIdx.x];  // no wait", {"Async Write access"}, counting},
                     {"early_read_right", one, "", "", {}, counting},
                     {"other_stage", one, "TG416", "waited for the other stage", {"Async Write access"}, counting},
                     {"other_stage_right", one, "", "", {}, counting},
                     {"same_parity", one, "TG416", "t[63 - threadIdx.x % 64]", {"Async Write access"}, counting},
                     {"same_parity_right", one, "", "", {}, counting},
                     {"reload", one, "TG416", "t[63 - threadIdx.x % 64]", {"Async Write access"}, counting},
                     {"source_changed", one, "TG416", "t[threadIdx.x] = -1;  // no wait", {"Async Read access"}, counting},
                     {"source_changed_right", one, "", "", {}, counting},
                     {"unfenced", one, "TG416", "t[threadIdx.x] = in[threadIdx.x]", {"async proxy", fence}, counting},
                     {"fenced_by_reader_right", one, "", "", {}, counting},
                     {"fenced_too_early", one, "TG416", "t[threadIdx.x] = in[threadIdx.x]", {"async proxy", fence}, counting},
                     {"result_read", one, "TG417", "only the source is free", {"Async Write access"}, counting},
                     {"result_read_right", one, "", "", {}, counting},
                     {"product_unfenced", one, "TG416", "a[k] = 0", {"Async Read access", "async proxy", fence}, counting},
                     {"product_unordered", one, "TG416", "a[k] = k", {"Async Read access"}, counting},
                     {"product_changed", one, "TG416", "no wait", {"Async Read access"}, counting},
                     {"product_right", one, "", "", {}, counting},
                 });
}

TEST_CASE("what is found in accesses of whole blocks is what is found warp by warp, and without forgetting") {
  // An asynchronous instruction anywhere in the module keeps the history of shared memory across barriers.
  const std::string other = ".visible .entry other() { cp.async.wait_all; ret; }\n";
  int found = 0, clean = 0, sees_barriers = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const random_accesses::kernel k = random_accesses::maker(seed)(), without = random_accesses::maker(seed)(false);
    CAPTURE(seed);
    CAPTURE(k.ptx);
    const random_accesses::outcome whole = run(k, "", true), single = run(k, "", false), kept = run(k, other, false);
    CHECK(whole.error == single.error);
    CHECK(whole.found == single.found);
    CHECK(whole.error == kept.error);
    CHECK(whole.found == kept.found);
    (whole.found.empty() ? clean : found) += 1;
    sees_barriers += run(without, "", true).found.size() != single.found.size();
  }
  CHECK(found > 200);
  CHECK(clean > 20);
  CHECK(sees_barriers > 50);
}

TEST_CASE("a barrier orders nothing of threads that exited before it") {
  for (const bool exits_first : {true, false})
    for (const bool patterns : {true, false}) {
      CAPTURE(exits_first);
      CAPTURE(patterns);
      const std::string exit = "@%p0 exit;\n", barrier = "bar.sync 0;\n";
      random_accesses::kernel k;
      k.shape = {{1}, {64}};
      k.ptx = ".version 9.0\n.target sm_90\n.address_size 64\n"
              ".visible .entry k(.param .u64 p0, .param .u64 p1)\n{\n"
              ".reg .pred %p<1>; .reg .b32 %r<4>; .shared .align 16 .b8 s[256];\n"
              "mov.u32 %r0, %tid.x; mov.u32 %r1, s; mad.lo.u32 %r2, %r0, 4, %r1; setp.lt.u32 %p0, %r0, 32;\n"
              "st.shared.u32 [%r2], %r0;\n" +
              (exits_first ? exit + barrier : barrier + exit) + "ld.shared.u32 %r3, [%r2+-128];\nret;\n}\n";
      const random_accesses::outcome got = run(k, "", patterns);
      CHECK(std::ranges::count(got.found, tg::emulator::check::checker::race, &planted::finding::kind) == exits_first);
    }
}

#include <tg/emulator/check/convergence.hpp>

#include "planted.hpp"

using planted::launch_shape;

TEST_CASE("barriers and shuffles that some threads miss are found, their clean twins are silent") {
  const launch_shape one{{1}, {64}};
  tg::dynamic_array<int> rounds(64, 2), odd(64, 0);
  rounds[40] = 3;
  odd[5] = 1;
  planted::check("synchronization",
                 {
                     {"early_exit",
                      one,
                      "TG426",
                      "__syncthreads",
                      {"Barrier error detected. Divergent thread(s) in block", "thread (48, 0, 0)"}},
                     {"early_exit_right", one},
                     {"two_barriers", one, "TG427", "__syncthreads", {"at different barriers", "'bar.sync'"}},
                     {"two_barriers_right", one},
                     {"two_roles_right", one},
                     {"divergent", one, "TG420", "bar.sync", {}, odd},
                     {"skipped", one, "TG426", "__syncthreads", {}, rounds},
                     {"skipped", one, "", "", {}, tg::dynamic_array<int>(64, 2)},
                     {"named_count", {{1}, {96}}, "TG422", "bar.sync 1"},
                     {"named_odd_count", one, "TG423", "bar.sync 1, %0"},
                     {"named_large_count", one, "TG423", "bar.sync 1, 128"},
                     {"named_right", one},
                     {"wrong_mask", {{1}, {32}}, "TG424", "", {"lane 16"}},
                     {"wrong_mask_right", {{1}, {32}}},
                     {"inactive_source", {{1}, {32}}, "TG428", "", {"thread (8, 0, 0)", "lane 16"}},
                     {"inactive_source_right", {{1}, {32}}},
                     {"deadlock", one, "TG421", "bar.sync", {"deadlock"}},
                 });
}

#include <tg/emulator/check/watch.hpp>

#include "planted.hpp"

using planted::launch_shape;

TEST_CASE("copies read before their wait and wrong mbarriers are found, their clean twins are silent") {
  const launch_shape one{{1}, {64}};
  std::vector<int> counting;
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

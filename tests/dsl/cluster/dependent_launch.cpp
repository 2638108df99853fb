#include <tg/dsl/cluster/dependent_launch.hpp>

#include "../word.hpp"

#include <tg/dsl/recorder/tape.hpp>

TEST_CASE("what follows may begin, what went before has ended") {
  const auto y = word::run<tg::block_t<64>, unsigned>(
      [](auto block, auto from, auto to) {
        tg::launch_dependents();
        tg::wait_for_prior_grids();
        to(block.global_index()) = from(block.global_index()) + 1u;
      },
      std::vector<unsigned>(128, 6));
  for (const unsigned x : y) CHECK(x == 7);
}

TEST_CASE("both need sm_90") {
  const auto lowered = tg::lower(tg::kernel<"k">(tg::block<32>, [](auto, tg::out<float> y) {
    tg::wait_for_prior_grids();
    y(0u) = 1.0f;
    tg::launch_dependents();
  }));
  CHECK(lowered.module.sm == 90);
  const auto at = lowered.ptx.find("griddepcontrol.wait;");
  CHECK(at != std::string::npos);
  CHECK(lowered.ptx.find("st.global", at) < lowered.ptx.find("griddepcontrol.launch_dependents;"));
}

// A bug that almost no run shows: a tile is read before all of it is written. The emulator's race checker reports it in
// every run. `missing_barrier` prints the report; `missing_barrier fixed` runs the same kernel with its barrier.
#include <cstdio>
#include <string_view>
#include <vector>

#include <tg/emulator/driver_table/driver_table.hpp>
#include <tg/emulator/launch/launch_shape.hpp>
#include <tg/tg.hpp>

namespace {

// Each block turns its 256 elements round.
template <bool HasBarrier>
constexpr auto turn_round = tg::kernel<"turn_round">(tg::block<256>, [](auto block, tg::inout<float> x) {
  auto tile = tg::shared<float>(tg::shape<256>);
  tile(block.thread.x) = x(block.global_index());
  if constexpr (HasBarrier) block.sync();
  x(block.global_index()) = tile(255u - block.thread.x);
});

template <bool HasBarrier> int run() {
  tg::device emulator("emulator");
  auto x = emulator.upload(std::vector<float>(1024, 1.0f));
  try {
    emulator.launch(turn_round<HasBarrier>, tg::grid(4), x);
    emulator.synchronize();
  } catch (const tg::error& e) {
    std::printf("%s\n", e.what());
    return 1;
  }
  std::printf("nothing to report\n");
  return 0;
}

}  // namespace

int main(int count, char** words) {
  tg::emulator::options how;
  how.check = tg::emulator::check::checkers::all();
  tg::emulator::set_launch_options(how);
  return count > 1 && std::string_view(words[1]) == "fixed" ? run<true>() : run<false>();
}

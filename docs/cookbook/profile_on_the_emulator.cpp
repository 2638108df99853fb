// A profile without a GPU
//
// The emulator counts what a profiler would show: requests, sectors and wavefronts with the addresses that really occur. Here
// the sectors of a strided access are compared with those of a dense one: the reads of the strided one are
// eight times the traffic.
#include <cstdio>
#include <vector>

#include <tg/emulator.hpp>
#include <tg/tg.hpp>

using namespace tg::literals;

template <int Stride>
inline constexpr auto copy =
    tg::kernel<"copy">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y, tg::scalar<unsigned> n) {
      const auto i = tg::let(block.global_index());
      const auto excuse = tg::allow<tg::TG202>("to be measured");
      tg::if_(i < n, [&] { y(i) = x(i * tg::constant<Stride>{}, excuse); });
    });

int main() {
  const unsigned n = 4096;
  tg::device emulator("emulator");
  const auto x = emulator.upload(std::vector<float>(n * 8, 1.0f));
  auto y = emulator.zeros<float>(n);
  tg::emulator::count_launches(true);

  const auto sectors_of = [&](const auto& kernel) {
    emulator.launch(kernel, tg::cover(n), x, y, n);
    std::uint64_t sectors = 0;
    for (const auto& each : tg::emulator::counters_of_last_launch().instructions) sectors += each.sectors;
    return sectors;
  };
  const std::uint64_t dense = sectors_of(copy<1>), strided = sectors_of(copy<8>);
  tg::emulator::count_launches(false);
  std::printf("sectors of %u elements: dense %llu, strided %llu\n", n, static_cast<unsigned long long>(dense),
              static_cast<unsigned long long>(strided));
  return dense == 2 * n / 8 && strided == n + n / 8 ? 0 : 1;  // reads and writes; a sector has 8 floats
}

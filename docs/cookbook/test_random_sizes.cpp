// Testing a kernel on the emulator with random sizes
//
// All checkers are on: out of bounds, uninitialised memory, races, barriers, leaks. A finding is thrown by the launch. The
// result starts as NaN, so that an element which is not written is seen. Sizes around the block come first, then random ones
// from a fixed seed; the seed of the emulator runs blocks and warps in another order each time.
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include <tg/emulator.hpp>
#include <tg/tg.hpp>

inline constexpr auto reverse =
    tg::kernel<"reverse">(tg::block<128>, [](auto block, tg::in<float> x, tg::out<float> y, tg::scalar<unsigned> n) {
      auto tile = tg::shared<float>(tg::shape<128>);
      const auto t = block.thread.x;
      const auto i = tg::let(block.global_index());
      tg::if_(i < n, [&] { tile(t) = x(i); });
      block.sync();  // outside of the guard: all threads come here
      const auto count = tg::let(tg::min(n - block.index.x * 128u, 128u));
      tg::if_(t < count, [&] { y(i) = tile(tg::gather(count - 1u - t)); });
    });

int main() {
  std::mt19937 random(1);
  std::vector<unsigned> sizes{1, 127, 128, 129, 256, 1009};
  for (int k = 0; k < 10; ++k) sizes.push_back(1 + unsigned(random() % 3000));

  unsigned wrong = 0;
  for (const unsigned n : sizes) {
    tg::emulator::set_launch_options({.check = tg::emulator::check::checkers::all(), .seed = random()});
    tg::device emulator("emulator");
    std::vector<float> hx(n);
    for (float& v : hx) v = float(random() % 1000);
    const auto x = emulator.upload(hx);
    auto y = emulator.upload(std::vector<float>(n, NAN));
    try {
      emulator.launch(reverse, tg::cover(n), x, y, n);
    } catch (const tg::error& e) {
      std::printf("n = %u: %s\n", n, e.what());
      return 1;
    }
    const auto out = y.to_host();
    for (unsigned k = 0; k < n; ++k) {
      const unsigned first = k / 128 * 128, count = std::min(n - first, 128u);
      wrong += !(out[k] == hx[first + count - 1 - (k - first)]);
    }
  }
  const bool is_clean = tg::emulator::take_findings().empty();
  std::printf("%zu sizes, %u elements wrong, %s\n", sizes.size(), wrong, is_clean ? "nothing found" : "findings");
  return wrong == 0 && is_clean ? 0 : 1;
}

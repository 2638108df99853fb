// What the printers of cmake/gdb/tg.py are tried on: stops in here() while a kernel is recorded, and with arrays at hand.
#include <vector>

#include <tg/array.hpp>
#include <tg/tg.hpp>
#include <tg/tile.hpp>

namespace {

[[gnu::noinline]] void here() { asm volatile(""); }

inline constexpr auto kernel =
    tg::kernel<"kernel">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y, tg::scalar<unsigned> n) {
      const auto i = tg::let(block.global_index());
      const auto j = tg::let(i % 32u);
      const auto loaded = tg::let(x(tg::gather(j)));
      tg::var<float> running = 2.5f;
      auto tile = tg::shared<float>(tg::shape<32, 32>, tg::pitch<33>);
      const auto four = tg::constant<4>{};
      auto sums = tg::zeros<float, 128, 64>(block);
      auto peaks = tg::full_per_row(sums, 0.0f);
      here();
      tg::if_(i < n, [&] { y(i) = loaded + running; });
    });

}  // namespace

int main() {
  tg::device gpu("emulator");
  const std::vector<float> numbers(12, 1.0f);
  tg::array<float, 2> a(gpu, {3, 4}, numbers), nothing;
  const auto turned = a.transpose();
  const auto buffer = gpu.upload(numbers);
  here();
  return tg::to_ptx(kernel).empty();
}

// Histogram, with bins in shared memory
//
// Each block counts in its own bins, where atomics are cheap, and adds them to global memory once. The bin comes from data,
// so nothing is known about the request: `tg::scatter` says so. `tg::for_each_index` is a grid-stride loop: any grid will do.
#include <cstdio>
#include <vector>

#include <tg/tg.hpp>

inline constexpr auto histogram = tg::kernel<"histogram">(
    tg::block<256>, [](auto block, tg::in<unsigned char> x, tg::inout<unsigned> bins, tg::scalar<unsigned> n) {
      auto own = tg::shared<unsigned>(tg::shape<256>);
      own(block.thread.x) = 0u;
      block.sync();
      tg::for_each_index(block, n, [&](auto i) {
        const auto bin = tg::let(tg::cast<unsigned>(x(i)));
        tg::atomic_add(own(tg::scatter(bin)), 1u);
      });
      block.sync();
      tg::atomic_add(bins(block.thread.x), own(block.thread.x));
    });

int main() {
  const unsigned n = 10007;
  std::vector<unsigned char> hx(n);
  std::vector<unsigned> wanted(256, 0);
  for (unsigned k = 0; k < n; ++k) ++wanted[hx[k] = static_cast<unsigned char>(k * k / 7)];

  tg::device gpu;
  const auto x = gpu.upload(hx);
  auto bins = gpu.zeros<unsigned>(256);
  gpu.launch(histogram, tg::grid(8), x, bins, n);

  const bool is_right = bins.to_host() == wanted;
  std::printf("256 bins of %u bytes: %s\n", n, is_right ? "right" : "wrong");
  return is_right ? 0 : 1;
}

// Inclusive prefix sum of any length, in three launches
//
// First each block scans its 256 elements and writes its total; then one block scans the totals; then each block adds the
// total of those before it. `tests/everyday/scan.cpp` does it in one launch, with blocks that wait for each other.
#include <cstdio>
#include <vector>

#include <tg/tg.hpp>

using namespace tg::literals;

inline constexpr auto scan_blocks = tg::kernel<"scan_blocks">(
    tg::block<256>, [](auto block, tg::in<unsigned> x, tg::out<unsigned> y, tg::out<unsigned> totals, tg::scalar<unsigned> n) {
      const auto i = tg::let(block.global_index());
      tg::var<unsigned> own = 0u;
      tg::if_(i < n, [&] { own = x(i); });  // threads beyond the end stay: all take part in the scan
      const auto scanned = tg::block_scan_sum(block, own);
      tg::if_(i < n, [&] { y(i) = scanned.through; });
      tg::if_(block.thread.x == 0u, [&] { totals(block.index.x) = scanned.total; });
    });

inline constexpr auto add_before = tg::kernel<"add_before">(
    tg::block<256>, [](auto block, tg::in<unsigned> totals, tg::inout<unsigned> y, tg::scalar<unsigned> n) {
      const auto i = tg::let(block.global_index());
      tg::if_(i < n && block.index.x > 0u, [&] { y(i) += totals(block.index.x - 1u); });
    });

void scan(tg::device& gpu, const tg::buffer<unsigned>& x, tg::buffer<unsigned>& y) {
  const std::size_t blocks = (x.size() + 255) / 256;
  auto totals = gpu.allocate<unsigned>(blocks);
  gpu.launch(scan_blocks, tg::grid(blocks), x, y, totals, x.size());
  if (blocks == 1) return;
  auto scanned = gpu.allocate<unsigned>(blocks);
  scan(gpu, totals, scanned);
  gpu.launch(add_before, tg::grid(blocks), scanned, y, x.size());
}

int main() {
  tg::device gpu;
  unsigned wrong = 0;
  for (const unsigned n : {1u, 255u, 256u, 257u, 70001u}) {
    std::vector<unsigned> hx(n);
    for (unsigned k = 0; k < n; ++k) hx[k] = k % 10;
    const auto x = gpu.upload(hx);
    auto y = gpu.allocate<unsigned>(n);
    scan(gpu, x, y);
    unsigned sum = 0;
    const auto out = y.to_host();
    for (unsigned k = 0; k < n; ++k) wrong += out[k] != (sum += hx[k]);
  }
  std::printf("five lengths, %u elements wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}

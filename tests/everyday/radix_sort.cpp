// Sorts 32-bit keys by four passes over 8 bits: counts of each digit per block, a scan over all counts, and a stable
// scatter by the rank of each key among the equal digits of its block.
#include "checked.hpp"

#include <algorithm>

using namespace tg::literals;
using everyday::checked_device;
using everyday::random_words;

namespace {

/// counts(digit, block): how many keys of the block have the digit.
inline constexpr auto count_digits = tg::kernel<"count_digits">(
    tg::block<256>,
    [](auto block, tg::in<unsigned> keys, tg::out<unsigned> counts, tg::scalar<unsigned> shift, tg::scalar<unsigned> n) {
      auto own = tg::shared<unsigned>(tg::shape<256>);
      const auto t = block.thread.x;
      own(t) = 0u;
      block.sync();
      const auto i = tg::let(block.global_index());
      tg::if_(i < n, [&] { (void)tg::atomic_add(own(tg::gather(keys(i) >> shift & 255u)), 1u); });
      block.sync();
      counts(block.index.x * 256_c + t) = own(t);
    });

/// starts(block, digit): where the first key of the block with the digit goes. One block walks over all.
inline constexpr auto scan_digits = tg::kernel<"scan_digits">(
    tg::block<256>, [](auto block, tg::in<unsigned> counts, tg::out<unsigned> starts, tg::scalar<unsigned> blocks) {
      const auto t = block.thread.x;
      tg::var<unsigned> total = 0u;
      tg::for_(tg::range(blocks), [&](auto b) { total += counts(b * 256_c + t); });
      tg::var<unsigned> next = tg::block_scan_sum(block, total).before;
      tg::for_(tg::range(blocks), [&](auto b) {
        starts(b * 256_c + t) = next;
        next += counts(b * 256_c + t);
      });
    });

inline constexpr auto scatter_keys =
    tg::kernel<"scatter_keys">(tg::block<256>, [](auto block, tg::in<unsigned> keys, tg::in<unsigned> starts,
                                                  tg::out<unsigned> out, tg::scalar<unsigned> shift, tg::scalar<unsigned> n) {
      // before(warp, digit): how many keys with the digit the warps up to this one have.
      auto before = tg::shared<unsigned>(tg::shape<8, 256>);
      const auto t = block.thread.x;
      const auto warp = block.warp();
      for (int w = 0; w < 8; ++w) before(w, t) = 0u;
      block.sync();
      const auto i = tg::let(block.global_index());
      tg::var<unsigned> key = 0u, digit = 256u;
      tg::if_(i < n, [&] {
        key = keys(i);
        digit = key >> shift & 255u;
      });
      const auto same = tg::let(tg::match_any(warp, digit));
      const auto rank = tg::let(tg::popcount(same & ((1u << warp.lane) - 1u)));
      tg::if_(i < n && rank == 0u, [&] { before(warp.index, tg::scatter(digit)) = tg::popcount(same); });
      block.sync();
      tg::var<unsigned> sum = 0u;
      for (int w = 0; w < 8; ++w) {
        const auto own = tg::let(before(w, t));
        before(w, t) = sum;
        sum += own;
      }
      block.sync();
      tg::if_(i < n, [&] {
        const auto to = starts(tg::gather(block.index.x * 256u + digit)) + before(warp.index, tg::gather(digit)) + rank;
        out(tg::scatter(to)) = key;
      });
    });

}  // namespace

TEST_CASE("keys are sorted") {
  for (const unsigned n : {1u, 255u, 256u, 257u, 512u, 1009u, 5003u}) {
    CAPTURE(n);
    checked_device on;
    auto sorted = random_words(n, 0, n);
    auto a = on.gpu.upload(sorted);
    auto b = on.gpu.upload(std::vector<unsigned>(n, 0xdeadbeef));
    const unsigned blocks = (n + 255) / 256;
    auto counts = on.gpu.allocate<unsigned>(blocks * 256), starts = on.gpu.allocate<unsigned>(blocks * 256);
    for (unsigned shift = 0; shift < 32; shift += 8) {
      on.gpu.launch(count_digits, tg::cover(n), a, counts, shift, n);
      on.gpu.launch(scan_digits, tg::grid(1), counts, starts, blocks);
      on.gpu.launch(scatter_keys, tg::cover(n), a, starts, b, shift, n);
      std::swap(a, b);
    }
    std::sort(sorted.begin(), sorted.end());
    CHECK(a.to_host() == sorted);
  }
}

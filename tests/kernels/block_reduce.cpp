#include <kernels/block_reduce.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "inputs.hpp"

namespace {

/// The sum and the largest of a block, from each of its threads.
template <int... Threads>
constexpr auto reduce = tg::kernel<"reduce">(tg::block<Threads...>,
                                             [](auto block, tg::in<int> x, tg::out<int> sums, tg::out<int> peaks) {
                                               const auto t = block.thread_index();
                                               sums(t) = tg::kernels::block_sum(block, x(t));
                                               peaks(t) = tg::kernels::block_max(block, x(t));
                                             });

template <int... Threads>
void check() {
  constexpr int threads = (Threads * ...);
  CAPTURE(threads);
  tg::device gpu;
  inputs::generator random;
  std::vector<int> x(threads);
  for (int& v : x) v = static_cast<int>(random.engine() % 2000) - 1000;
  auto on_x = gpu.upload(x), sums = gpu.upload(std::vector<int>(threads, 77)),
       peaks = gpu.upload(std::vector<int>(threads, 77));
  gpu.launch(reduce<Threads...>, tg::grid(1), on_x, sums, peaks);
  CHECK(sums.to_host() == std::vector<int>(threads, std::accumulate(x.begin(), x.end(), 0)));
  CHECK(peaks.to_host() == std::vector<int>(threads, *std::max_element(x.begin(), x.end())));
}

}  // namespace

TEST_CASE("every thread gets the sum and the largest of its block") {
  check<32>();
  check<64>();
  check<256>();
  check<1024>();
  check<16, 8>();
}

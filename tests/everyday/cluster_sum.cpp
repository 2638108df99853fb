// The sum of each row of a matrix by a cluster of four blocks: each block sums a quarter of the row, then adds its part to a
// tile of the first block, which writes the result.
#include "checked.hpp"

#include <cmath>
#include <vector>

using namespace tg::literals;
using everyday::checked_device;
using everyday::random_numbers;

namespace {

inline constexpr auto row_sums = tg::kernel<"row_sums">(
    tg::block<128> | tg::cluster<4>, [](auto block, tg::in2<float> x, tg::out<float> y, tg::scalar<unsigned> columns) {
      const auto cluster = block.cluster();
      const auto parts = tg::shared<float>(tg::shape<4>);
      const auto row = block.index.x / 4u;
      tg::var<float> own = 0.0f;
      tg::for_(tg::range(cluster.rank * 128_c + block.thread.x, columns, 512_c), [&](auto j) { own += x(row, j); });
      const auto sum = tg::block_sum(block, own);
      cluster.sync();  // the first block has begun: its tile may be written
      tg::if_(block.thread.x == 0u, [&] { cluster.tile(parts, 0u)(cluster.rank) = sum; });
      cluster.sync();
      tg::if_(block.thread.x == 0u && cluster.rank == 0u,
              [&] { y(row) = parts(0_c) + parts(1_c) + (parts(2_c) + parts(3_c)); });
    });

// A histogram whose bins lie in the shared memory of all blocks of a cluster, 64 in each.
inline constexpr auto histogram = tg::kernel<"histogram">(
    tg::block<64> | tg::cluster<2>, [](auto block, tg::in<unsigned> x, tg::out<unsigned> y, tg::scalar<unsigned> n) {
      const auto cluster = block.cluster();
      const auto bins = tg::shared<unsigned>(tg::shape<64>);
      bins(block.thread.x) = 0u;
      cluster.sync();
      tg::for_(tg::range(block.global_index(), n, 128_c), [&](auto i) {
        const auto bin = x(i) % 128u;
        (void)tg::atomic_add(cluster.tile(bins, bin / 64u)(tg::gather(bin % 64u)), 1u);
      });
      cluster.sync();
      y(block.global_index()) = bins(block.thread.x);
    });

}  // namespace

TEST_CASE("rows are summed by clusters of four blocks") {
  for (const std::size_t columns : {1u, 127u, 512u, 1531u}) {
    CAPTURE(columns);
    checked_device on;
    const std::size_t rows = 3;
    const auto x = random_numbers<float>(rows * columns, -1, 1, 3);
    const auto dx = on.gpu.upload(x);
    auto y = on.gpu.upload(std::vector<float>(rows, -12345.0f));
    on.gpu.launch(row_sums, tg::grid(4 * rows), tg::matrix(dx, rows, columns), y, columns);
    const auto out = y.to_host();
    for (std::size_t i = 0; i < rows; ++i) {
      double sum = 0, size = 0;
      for (std::size_t j = 0; j < columns; ++j) {
        sum += static_cast<double>(x[i * columns + j]);
        size += std::abs(static_cast<double>(x[i * columns + j]));
      }
      CHECK(std::abs(out[i] - sum) <= 1e-6 * size);
    }
  }
}

TEST_CASE("a histogram over the shared memory of two blocks") {
  checked_device on;
  std::vector<unsigned> x(1000);
  std::mt19937 random(5);
  for (unsigned& v : x) v = static_cast<unsigned>(random());
  const auto dx = on.gpu.upload(x);
  auto y = on.gpu.upload(std::vector<unsigned>(128));
  on.gpu.launch(histogram, tg::grid(2), dx, y, x.size());
  std::vector<unsigned> want(128);
  for (const unsigned v : x) ++want[v % 128];
  CHECK(y.to_host() == want);
}

#include <tg/tile/pipeline_by_threads.hpp>

#include <string>

#include "tiles.hpp"

namespace {

using namespace tg::literals;

/// The largest element of each row of 64 x depth, found in two parts; rows that end early stop the loop for the block.
constexpr auto largest_of_rows =
    tg::kernel<"largest_of_rows">(tg::block<128>, [](auto block, tg::in2<tg::bf16, tg::multiple_of<8>> x, tg::out<float> y,
                                                     tg::scalar<unsigned> depth, tg::scalar<unsigned> stop) {
      auto product = tg::zeros<float, 64, 64>(block);
      auto largest = tg::full_per_row(product, -tg::largest_finite<float>);
      tg::pipeline<2>(
          block, tg::steps(depth, 32_c), [&](auto k) { return tg::tile_at<64, 32>(tg::sized(x, 64_c, depth), 0_c, k); },
          [&](auto part) {
            product = 0.0f;
            product += tg::dot(part, tg::transposed(part));
          },
          [&](auto, auto k) {
            largest = tg::max(largest, tg::row_max(product));
            tg::if_(k == stop, [&] { tg::break_(); });
          });
      tg::column_at<64>(tg::sized(y, 64_c), 0_c) = largest;
    });

}  // namespace

TEST_CASE("a part may end the loop, for all threads of the block") {
  tg::device gpu;
  std::mt19937 random(37);
  constexpr unsigned depth = 160;
  const tiles::matrix<tg::bf16> x(64, depth, random);
  tiles::on_device<tg::bf16> dx(gpu, x);
  for (const unsigned stop : {0u, 64u, 128u, 1000u}) {
    auto y = gpu.upload(std::vector<float>(64, 777.0f));
    gpu.launch(largest_of_rows, tg::grid(1), dx.argument(), y, depth, stop);
    const std::vector<float> found = y.to_host();
    tiles::excess excess;
    for (unsigned r = 0; r < 64; ++r) {
      double wanted = -1e30;
      for (unsigned k = 0; k < depth && k <= stop; k += 32)
        for (unsigned c = 0; c < 64; ++c) {
          double sum = 0;
          for (unsigned d = k; d < k + 32; ++d) sum += x(r, d) * x(c, d);
          wanted = std::max(wanted, sum);
        }
      excess(found[r], wanted, 1e-4);
    }
    CAPTURE(stop);
    CHECK(excess.worst <= 1);
  }
}

TEST_CASE("the jump back of a loop in two parts has no condition, and the products stand in the loop once") {
  const std::string text = tg::to_ptx(largest_of_rows);
  const auto count = [&](const std::string& what) {
    std::size_t n = 0;
    for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++n;
    return n;
  };
  CHECK(count("mma.sync") == 2 * 8 * 2 / 2);
  CHECK(count("cp.async.wait_group") == 2);
}

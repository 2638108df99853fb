#include <kernels/sobel.hpp>

#include <doctest/doctest.h>

#include <kernels/reference/sobel.hpp>

#include "inputs.hpp"
#include "ledger.hpp"

using namespace tg::kernels;

namespace {

constexpr int widths[] = {1, 2, 31, 32, 33, 61, 64};
constexpr int heights[] = {1, 3, 4, 5, 8, 13};

// Each gradient is a sum of eight numbers up to 1 in four steps, squared, added and rooted.
constexpr double bound = 40 * inputs::unit_roundoff;

template <class Sample>
void check_counts() {
  tg::device gpu;
  if (!gpu.is_emulated()) return;
  ledger counted(sobel<Sample>);
  for (const unsigned leading : {384u, 385u}) {
    auto from = gpu.zeros<float>(8 * leading);
    auto to = gpu.zeros<Sample>(8 * leading);
    counted.count([&] {
      gpu.launch(sobel<Sample>, rgb_cover(128, 8), tg::matrix(from, 8, 384, leading), tg::matrix(to, 8, 384, leading),
                 128, 8);
    });
  }
  for (const auto& row : counted.rows()) CHECK(row.access.verdict == tg::verdict::proved);
  for (const auto& mismatch : counted.mismatches(edges::clamped)) FAIL_CHECK(mismatch);
}

}  // namespace

TEST_CASE("Sobel as floats and as bytes") {
  tg::device gpu;
  inputs::generator random;
  for (const int width : widths)
    for (const int height : heights) {
      INFO("seed ", random.seed, ", width ", width, ", height ", height);
      const std::size_t row = 3 * width;
      const auto x = random.floats(row * height, 0, 1);
      const auto wanted = reference::sobel({width, height, {x.begin(), x.end()}}).samples;
      inputs::rows<float> on_x(gpu, x, height, row, row + 5), floats(gpu, height, row, row + 3);
      inputs::rows<std::uint8_t> bytes(gpu, height, row, row + 11);
      gpu.launch(sobel<float>, rgb_cover(width, height), on_x.matrix(), floats.matrix(), width, height);
      gpu.launch(sobel<std::uint8_t>, rgb_cover(width, height), on_x.matrix(), bytes.matrix(), width, height);

      const auto got = floats.to_host();
      CHECK(inputs::largest_excess(std::span<const float>(got), std::span<const double>(wanted),
                                   [](std::size_t) { return bound; }) <= 0);
      std::vector<double> wanted_bytes;
      for (const double v : wanted) wanted_bytes.push_back(std::min(v, 1.0) * 255);
      const auto got_bytes = bytes.to_host();
      CHECK(inputs::largest_excess(std::span<const std::uint8_t>(got_bytes), std::span<const double>(wanted_bytes),
                                   [](std::size_t) { return 0.5 + 255 * bound; }) <= 0);
    }
}

TEST_CASE("Sobel costs what the compiler says") {
  check_counts<float>();
  check_counts<std::uint8_t>();
}

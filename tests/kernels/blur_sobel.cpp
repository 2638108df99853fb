#include <kernels/blur_sobel.hpp>

#include <doctest/doctest.h>

#include <kernels/reference/blur.hpp>
#include <kernels/reference/sobel.hpp>

#include "inputs.hpp"
#include "ledger.hpp"

using namespace tg::kernels;

namespace {

constexpr int widths[] = {1, 2, 29, 30, 31, 60, 67};
constexpr int heights[] = {1, 2, 15, 16, 17, 32, 37};

/// What the kernel promises, before it rounds to bytes.
constexpr double bound = 1e-5;

template <int Radius>
void check(float sigma) {
  tg::device gpu;
  inputs::generator random;
  for (const int width : widths)
    for (const int height : heights) {
      INFO("seed ", random.seed, ", width ", width, ", height ", height, ", radius ", Radius);
      const std::size_t row = 3 * width;
      const auto picture = random.bytes(row * height);
      const auto wanted =
          reference::sobel(reference::blur_vertical(
                               reference::blur_horizontal(reference::to_picture(picture, width, height), Radius, sigma),
                               Radius, sigma))
              .samples;
      inputs::rows<std::uint8_t> from(gpu, picture, height, row, row + 5), bytes(gpu, height, row, row + 9);
      inputs::rows<float> floats(gpu, height, row, row + 1);
      const auto grid = blur_sobel_grid(width, height);
      gpu.launch(blur_sobel<Radius, float>, grid, from.matrix(), floats.matrix(), width, height, sigma);
      gpu.launch(blur_sobel<Radius, std::uint8_t>, grid, from.matrix(), bytes.matrix(), width, height, sigma);

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

template <class Sample>
void check_counts() {
  tg::device gpu;
  if (!gpu.is_emulated()) return;
  ledger counted(blur_sobel<2, Sample>);
  for (const unsigned leading : {384u, 385u, 387u}) {
    auto from = gpu.zeros<std::uint8_t>(64 * leading);
    auto to = gpu.zeros<Sample>(64 * leading);
    counted.count([&] {
      gpu.launch(blur_sobel<2, Sample>, blur_sobel_grid(128, 64), tg::matrix(from, 64, 384, leading),
                 tg::matrix(to, 64, 384, leading), 128, 64, 1.0f);
    });
  }
  for (const auto& row : counted.rows()) CHECK(row.access.verdict == tg::verdict::proved);
  for (const auto& mismatch : counted.mismatches(edges::clamped)) FAIL_CHECK(mismatch);
}

}  // namespace

TEST_CASE("blur and Sobel in one kernel equal the reference") {
  check<1>(0.7f);
  check<2>(1.0f);
  check<3>(1.5f);
}

TEST_CASE("the fused kernel costs what the compiler says") {
  check_counts<float>();
  check_counts<std::uint8_t>();
}

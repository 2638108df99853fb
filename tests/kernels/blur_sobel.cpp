#include <kernels/blur_sobel.hpp>

#include <doctest/doctest.h>

#include <kernels/reference/blur.hpp>
#include <kernels/reference/sobel.hpp>

#include "pictures.hpp"

using namespace tg::kernels;

namespace {

constexpr int widths[] = {1, 2, 29, 30, 31, 60, 67};
constexpr int heights[] = {1, 2, 15, 16, 17, 32, 37};

/// What the kernel promises, before it rounds to bytes.
constexpr double bound = 1e-5;

template <int Radius> void check(float sigma) {
  tg::device gpu;
  inputs::generator random;
  for (const int width : widths)
    for (const int height : heights) {
      INFO("seed ", random.seed, ", width ", width, ", height ", height, ", radius ", Radius);
      const std::size_t row = 3 * width;
      const auto picture = random.bytes(row * height);
      const auto wanted =
          reference::sobel(
              reference::blur_vertical(reference::blur_horizontal(reference::to_picture(picture, width, height), Radius, sigma),
                                       Radius, sigma))
              .samples;
      inputs::rows<std::uint8_t> from(gpu, picture, height, row, row + 5), bytes(gpu, height, row, row + 9);
      inputs::rows<float> floats(gpu, height, row, row + 1);
      const auto grid = blur_sobel_grid(width, height);
      gpu.launch(blur_sobel<Radius, float>, grid, from.matrix(), floats.matrix(), width, height, sigma);
      gpu.launch(blur_sobel<Radius, std::uint8_t>, grid, from.matrix(), bytes.matrix(), width, height, sigma);
      inputs::check_samples(floats, bytes, wanted, bound);
    }
}

}  // namespace

TEST_CASE("blur and Sobel in one kernel equal the reference") {
  check<1>(0.7f);
  check<2>(1.0f);
  check<3>(1.5f);
}

TEST_CASE("the fused kernel costs what the compiler says") {
  inputs::check_counts<std::uint8_t, float>(blur_sobel<2, float>, blur_sobel_grid(128, 64), 64, 1.0f);
  inputs::check_counts<std::uint8_t, std::uint8_t>(blur_sobel<2, std::uint8_t>, blur_sobel_grid(128, 64), 64, 1.0f);
}

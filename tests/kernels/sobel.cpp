#include <kernels/sobel.hpp>

#include <doctest/doctest.h>

#include <kernels/reference/sobel.hpp>

#include "pictures.hpp"

using namespace tg::kernels;

namespace {

constexpr int widths[] = {1, 2, 31, 32, 33, 61, 64};
constexpr int heights[] = {1, 3, 4, 5, 8, 13};

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
      inputs::check_samples(floats, bytes, wanted, reference::sobel_bound);
    }
}

TEST_CASE("Sobel costs what the compiler says") {
  inputs::check_counts<float, float>(sobel<float>, rgb_cover(128, 8), 8);
  inputs::check_counts<float, std::uint8_t>(sobel<std::uint8_t>, rgb_cover(128, 8), 8);
}

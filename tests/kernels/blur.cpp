#include <kernels/blur.hpp>

#include <doctest/doctest.h>

#include <kernels/reference/blur.hpp>

#include "pictures.hpp"

using namespace tg::kernels;

namespace {

constexpr int widths[] = {1, 2, 31, 32, 33, 61, 64};
constexpr int heights[] = {1, 3, 4, 5, 8, 13};

template <int Radius> void check(float sigma) {
  tg::device gpu;
  inputs::generator random;
  for (const int width : widths)
    for (const int height : heights) {
      INFO("seed ", random.seed, ", width ", width, ", height ", height, ", radius ", Radius);
      const std::size_t row = 3 * width;
      const auto bytes = random.bytes(row * height);
      const auto picture = reference::to_picture(bytes, width, height);
      const auto close = [](std::size_t) { return reference::blur_bound(Radius); };

      inputs::rows<std::uint8_t> on_bytes(gpu, bytes, height, row, row + 7);
      inputs::rows<float> along(gpu, height, row, row + 2);
      gpu.launch(blur_horizontal<Radius>, rgb_cover(width, height), on_bytes.matrix(), along.matrix(), width, height, sigma);
      const auto along_wanted = reference::blur_horizontal(picture, Radius, sigma).samples;
      const auto along_got = along.to_host();
      CHECK(inputs::largest_excess(std::span<const float>(along_got), std::span<const double>(along_wanted), close) <= 0);

      const std::vector<float> floats(picture.samples.begin(), picture.samples.end());
      inputs::rows<float> from(gpu, floats, height, row, row + 1), down(gpu, height, row, row);
      gpu.launch(blur_vertical<Radius>, rgb_cover(width, height), from.matrix(), down.matrix(), width, height, sigma);
      const auto down_wanted = reference::blur_vertical(picture, Radius, sigma).samples;
      const auto down_got = down.to_host();
      CHECK(inputs::largest_excess(std::span<const float>(down_got), std::span<const double>(down_wanted), close) <= 0);
    }
}

}  // namespace

TEST_CASE("blur along rows and columns") {
  check<1>(0.6f);
  check<2>(1.0f);
  check<3>(2.5f);
}

TEST_CASE("blur costs what the compiler says") {
  inputs::check_counts<std::uint8_t, float>(blur_horizontal<2>, rgb_cover(128, 8), 8, 1.0f);
  inputs::check_counts<float, float>(blur_vertical<2>, rgb_cover(128, 8), 8, 1.0f);
}

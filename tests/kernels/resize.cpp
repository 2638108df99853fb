#include <kernels/resize.hpp>

#include <doctest/doctest.h>

#include <algorithm>

#include <kernels/reference/grey.hpp>

#include "inputs.hpp"

using namespace tg::kernels;

namespace {

template <class T, interpolation How>
std::vector<T> resized(const std::vector<T>& x, int width, int height, int out_width, int out_height) {
  tg::device gpu;
  const auto w = static_cast<std::size_t>(width), h = static_cast<std::size_t>(height);
  const auto ow = static_cast<std::size_t>(out_width), oh = static_cast<std::size_t>(out_height);
  inputs::rows<T> from(gpu, x, h, w, w + 3), to(gpu, oh, ow, ow + 5);
  gpu.launch(resize<T, How>, resize_grid(unsigned(out_width), unsigned(out_height)), from.matrix(), to.matrix(), width, height,
             out_width, out_height);
  return to.to_host();
}

template <class T, interpolation How> void check(double cubic) {
  inputs::generator random;
  constexpr bool is_byte = sizeof(T) == 1;
  for (const auto& sizes :
       {std::array{1, 1, 1, 1}, std::array{1, 1, 65, 33}, std::array{5, 3, 1, 1}, std::array{2, 2, 31, 32},
        std::array{64, 32, 33, 31}, std::array{97, 13, 32, 64}, std::array{31, 33, 97, 5}, std::array{100, 10, 50, 20}}) {
    const int width = sizes[0], height = sizes[1], out_width = sizes[2], out_height = sizes[3];
    INFO("seed ", random.seed, ", ", width, " x ", height, " to ", out_width, " x ", out_height);
    const auto count = static_cast<std::size_t>(width * height);
    std::vector<T> x;
    if constexpr (is_byte) x = random.bytes(count);
    else x = random.floats(count);
    auto wanted = reference::resize({x, width, height}, out_width, out_height, cubic);
    if (is_byte)
      for (double& v : wanted.value) v = std::clamp(v, 0.0, 255.0);
    CHECK(inputs::largest_excess<T>(resized<T, How>(x, width, height, out_width, out_height), wanted.value,
                                    [&](std::size_t i) { return wanted.bound[i] + (is_byte ? 0.5 : 0); }) <= 0);
    CHECK((resized<T, How>(x, width, height, width, height) == x));
  }
}

}  // namespace

TEST_CASE("pictures become larger and smaller; of the same size they stay as they are") {
  check<float, interpolation::bilinear>(0);
  check<std::uint8_t, interpolation::bilinear>(0);
  check<float, interpolation::bicubic>(-0.75);
  check<std::uint8_t, interpolation::catmull_rom>(-0.5);
}

TEST_CASE("places are exact where floats would not be: a line of 30000 pixels to 70000") {
  constexpr int width = 30000, out_width = 70000;
  std::vector<float> x(width);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = i % 2 == 0 ? 1.0f : -1.0f;
  const auto wanted = reference::resize({x, width, 1}, out_width, 1, 0);
  const auto found = resized<float, interpolation::bilinear>(x, width, 1, out_width, 1);
  CHECK(inputs::largest_excess<float>(found, wanted.value, [&](std::size_t i) { return wanted.bound[i] + 1e-10; }) <= 0);
}

#include <kernels/bilateral.hpp>

#include <doctest/doctest.h>

#include <kernels/reference/grey.hpp>

#include "inputs.hpp"

using namespace tg::kernels;

namespace {

template <class T, int Radius>
std::vector<T> filtered(const std::vector<T>& x, int width, int height, float space, float range) {
  tg::device gpu;
  const auto w = static_cast<std::size_t>(width), h = static_cast<std::size_t>(height);
  inputs::rows<T> from(gpu, x, h, w, w + 3), to(gpu, h, w, w + 5);
  gpu.launch(bilateral<T, Radius>, bilateral_grid(unsigned(width), unsigned(height)), from.matrix(), to.matrix(), width, height,
             space, range);
  return to.to_host();
}

template <class T, int Radius> void check() {
  inputs::generator random;
  constexpr bool is_byte = sizeof(T) == 1;
  for (const int width : {1, 31, 32, 33, 64})
    for (const int height : {1, 16, 17})
      for (const float sigma : {0.3f, 1.0f, 5.0f}) {
        INFO("seed ", random.seed, ", width ", width, ", height ", height, ", sigma ", sigma, ", radius ", Radius);
        const auto count = static_cast<std::size_t>(width * height);
        std::vector<T> x;
        if constexpr (is_byte) x = random.bytes(count);
        else x = random.floats(count);
        const float range = is_byte ? 40 * sigma : sigma;
        const auto wanted = reference::bilateral({x, width, height}, Radius, sigma, range);
        CHECK(inputs::largest_excess<T>(filtered<T, Radius>(x, width, height, sigma, range), wanted.value,
                                        [&](std::size_t i) { return wanted.bound[i] + (is_byte ? 0.5 : 0); }) <= 0);
      }
}

}  // namespace

TEST_CASE("bilateral filters of bytes and floats") {
  check<float, 1>();
  check<float, 3>();
  check<float, 5>();
  check<std::uint8_t, 2>();
}

TEST_CASE("an even picture stays exactly as it is, and so does a dot that is like nothing around it") {
  CHECK((filtered<float, 4>(std::vector<float>(35, 0.1f), 7, 5, 2.0f, 0.1f) == std::vector<float>(35, 0.1f)));
  std::vector<float> dot(35, 0.0f);
  dot[17] = 1e15f;
  CHECK((filtered<float, 4>(dot, 7, 5, 2.0f, 1.0f) == dot));
  for (const float tiny : {1e-19f, 1e-25f, 1e-40f}) {  // their squares are 0
    CHECK((filtered<float, 4>(std::vector<float>(35, 5.0f), 7, 5, 2.0f, tiny) == std::vector<float>(35, 5.0f)));
    CHECK((filtered<float, 4>(dot, 7, 5, tiny, tiny) == dot));
  }
}

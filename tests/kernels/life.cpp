#include <kernels/life.hpp>

#include <doctest/doctest.h>

#include <kernels/reference/life.hpp>

#include "inputs.hpp"

using namespace tg::kernels;

namespace {

std::vector<std::uint8_t> after(const std::vector<std::uint8_t>& cells, std::size_t width, std::size_t height) {
  tg::device gpu;
  inputs::rows<std::uint8_t> from(gpu, cells, height, width, width + 4), to(gpu, height, width, width + 8);
  gpu.launch(life, life_grid(unsigned(width), unsigned(height)), from.matrix(), to.matrix(), int(width), int(height));
  return to.to_host();
}

}  // namespace

TEST_CASE("generations on tori of many sizes") {
  inputs::generator random;
  for (const std::size_t width : {4, 8, 124, 128, 132, 256})
    for (const std::size_t height : {1, 2, 3, 31, 32, 33, 97}) {
      INFO("seed ", random.seed, ", width ", width, ", height ", height);
      for (const unsigned alive : {64u, 128u, 255u}) {
        auto cells = random.bytes(width * height);
        for (auto& c : cells) c = c <= alive;
        CHECK((after(cells, width, height) == reference::life(cells, width, height)));
      }
    }
}

TEST_CASE("a glider is where it was, one further down and right, after four generations") {
  constexpr std::size_t side = 12;
  std::vector<std::uint8_t> cells(side * side);
  const auto put = [&](std::vector<std::uint8_t>& to, std::size_t shift) {
    for (const auto& [r, c] : {std::pair{0, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}})
      to[(std::size_t(r) + shift) % side * side + (std::size_t(c) + shift) % side] = 1;
  };
  put(cells, 10);  // across the corner
  for (int i = 0; i < 4; ++i) cells = after(cells, side, side);
  std::vector<std::uint8_t> moved(side * side);
  put(moved, 11);
  CHECK((cells == moved));
}

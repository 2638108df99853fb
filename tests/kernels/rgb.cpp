#include <kernels/rgb.hpp>

#include <doctest/doctest.h>

#include <algorithm>

#include "inputs.hpp"

using namespace tg::literals;

namespace {

/// Where a thread is, and where two pixels to the left and a row further down would be.
constexpr auto positions = tg::kernel<"positions">(
    tg::block<96, 4>, [](auto block, tg::out2<int> own, tg::out2<int> other, tg::scalar<int> width, tg::scalar<int> height) {
      const auto here = tg::kernels::rgb_position_of(block, width, height);
      tg::if_(here.is_inside(), [&] {
        own(here.row, here.column()) = here.row * 10000 + here.pixel * 10 + here.channel;
        other(here.row, here.column()) = here.row_at(1_c) * 10000 + here.column(-2_c);
      });
    });

constexpr auto samples =
    tg::kernel<"samples">(tg::block<32>, [](auto block, tg::in<float> x, tg::out<float> floats, tg::out<std::uint8_t> bytes) {
      const auto i = block.thread.x;
      floats(i) = tg::kernels::to_sample<float>(x(i));
      bytes(i) = tg::kernels::to_sample<std::uint8_t>(x(i));
    });

}  // namespace

TEST_CASE("a thread per byte knows row, pixel and channel") {
  tg::device gpu;
  for (const int width : {1, 32, 33})
    for (const int height : {1, 4, 5}) {
      CAPTURE(width);
      CAPTURE(height);
      inputs::rows<int> own(gpu, height, 3 * width, 3 * width + 1), other(gpu, height, 3 * width, 3 * width);
      gpu.launch(positions, tg::kernels::rgb_cover(width, height), own.matrix(), other.matrix(), width, height);
      std::vector<int> own_wanted, other_wanted;
      for (int row = 0; row < height; ++row)
        for (int byte = 0; byte < 3 * width; ++byte) {
          own_wanted.push_back(row * 10000 + byte / 3 * 10 + byte % 3);
          other_wanted.push_back(std::min(row + 1, height - 1) * 10000 + (byte < 6 ? byte % 3 : byte - 6));
        }
      CHECK(own.to_host() == own_wanted);
      CHECK(other.to_host() == other_wanted);
    }
}

TEST_CASE("bytes are rounded to nearest and saturate") {
  tg::device gpu;
  std::vector<float> x(32);
  const std::vector<std::pair<float, int>> cases{{0.0f, 0},       {1.0f, 255},     {-0.5f, 0},          {7.0f, 255},
                                                 {0.4f / 255, 0}, {0.6f / 255, 1}, {100.4f / 255, 100}, {254.7f / 255, 255}};
  for (std::size_t i = 0; i < cases.size(); ++i) x[i] = cases[i].first;
  auto on_x = gpu.upload(x);
  auto floats = gpu.upload(std::vector<float>(32, inputs::poison<float>()));
  auto bytes = gpu.upload(std::vector<std::uint8_t>(32, 0xcd));
  gpu.launch(samples, tg::grid(1), on_x, floats, bytes);
  CHECK(floats.to_host() == x);
  const auto got = bytes.to_host();
  for (std::size_t i = 0; i < cases.size(); ++i) CHECK(got[i] == cases[i].second);
}

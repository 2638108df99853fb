#include <kernels/rope.hpp>

#include <cmath>
#include <vector>

#include "inputs.hpp"

using namespace tg::kernels;

TEST_CASE("the two floats of a frequency are right to 46 bits") {
  const auto f = rope_frequencies(64);
  REQUIRE(f.size() == 128);
  for (unsigned k = 0; k < 64; ++k) {
    const double wanted = std::pow(10000.0, -double(k) / 64) / (2 * std::acos(-1.0));
    CHECK(std::abs(double(f[2 * k]) + double(f[2 * k + 1]) - wanted) <= 0x1p-46 * wanted);
  }
}

TEST_CASE("a position beyond 2^23 still turns by the right angle, where one float of the angle would be off by a radian") {
  tg::device gpu;
  const int position = (1 << 23) + 12345;
  auto x = gpu.upload(std::vector<float>{1, 0}), f = gpu.upload(rope_frequencies(1));
  auto p = gpu.upload(std::vector<int>{position});
  gpu.launch(rope<float>, rope_grid(1, 1), tg::matrix(x, 1, 2, 2), f, p, 1u, 1u, 2u, 1u);
  const auto y = x.to_host();
  CHECK(std::abs(double(y[0]) - std::cos(double(position))) <= 0x1p-21);
  CHECK(std::abs(double(y[1]) - std::sin(double(position))) <= 0x1p-21);
  const float one = static_cast<float>(position) * 1.0f * 0.15915494f;  // in turns, as one float
  CHECK(std::abs(std::cos(double(one) * 2 * std::acos(-1.0)) - std::cos(double(position))) > 0x1p-21);
}

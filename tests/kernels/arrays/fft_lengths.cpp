// Transforms whose length is chosen at run time: the compiler makes the kernels of all lengths.
#include <kernels/arrays/fft.hpp>

#include <cstdint>

#include "../inputs.hpp"
#include "refusals.hpp"
#include "transforms.hpp"

using refusals::code_of_error;
using namespace transforms;

TEST_CASE("transforms of lines, and back") {
  for (const std::int64_t n : {2, 4, 8, 32, 64, 128, 256, 512}) check_lines<0>(3, n);
}
TEST_CASE("transforms of real lines, and back") {
  for (const std::int64_t n : {8, 64, 128, 512}) check_real<0>(3, n);
}

TEST_CASE("transforms of pictures, and back") {
  tg::device gpu;
  inputs::generator random;
  INFO("seed ", random.seed);
  const std::int64_t pictures = 3, rows = 8, columns = 64;
  const auto host = random.floats(static_cast<std::size_t>(pictures * rows * columns * 2));
  const tg::array<float, 4> x(gpu, {pictures, rows, columns, 2}, host);
  const auto both = [&](int sign) {
    return turned(transformed(turned(transformed(complex_of(host), 64, sign), 8, 64), 8, sign), 64, 8);
  };
  CHECK(worst_of(complex_of(tg::fft_2d(x).to_host()), both(-1), 512) <= 1);
  CHECK(worst_of(complex_of(tg::inverse_fft_2d(x).to_host()), scaled(both(1), 1.0 / 512), 512) <= 1);
}

TEST_CASE("no lines give none; lengths and last dimensions that have no transform are refused") {
  tg::device gpu;
  const tg::array<float, 3> none(gpu, {0, 8, 2}), three(gpu, {1, 3, 2}), flat(gpu, {1, 8, 3});
  CHECK(tg::fft(none).size() == 0);
  CHECK(tg::inverse_fft(none).size() == 0);
  CHECK(tg::fft_2d(tg::array<float, 4>(gpu, {0, 8, 8, 2})).size() == 0);
  CHECK(code_of_error([&] { tg::fft(three); }) == 705);
  CHECK(code_of_error([&] { tg::fft(flat); }) == 705);
  CHECK(code_of_error([&] { tg::real_fft(three); }) == 705);
  CHECK(code_of_error([&] { tg::inverse_real_fft(flat); }) == 705);
  CHECK(code_of_error([&] { tg::fft_2d(tg::array<float, 3>(gpu, {3, 8, 2})); }) == 705);
}

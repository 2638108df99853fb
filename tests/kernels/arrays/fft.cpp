#include <kernels/arrays/fft.hpp>

#include "../inputs.hpp"
#include "refusals.hpp"
#include "transforms.hpp"

using refusals::code_of_error;
using namespace transforms;

TEST_CASE("transforms of lines whose length is named, and back") {
  check_lines<128>(7, 128);
  check_lines<4>(1, 4);
}
TEST_CASE("transforms of real lines whose length is named, and back") { check_real<256>(5, 256); }

TEST_CASE("expressions and lines that lie across") {
  tg::device gpu;
  inputs::generator random;
  INFO("seed ", random.seed);
  const tg::array<float, 2> x(gpu, {2, 128}, random.floats(256));  // real parts, then imaginary parts
  const tg::array<float, 2> dense = tg::transpose(x);
  CHECK(tg::fft<128>(x.transpose()).to_host() == tg::fft<128>(dense).to_host());
  CHECK(tg::fft<128>(tg::transpose(x) * 1.0f).to_host() == tg::fft<128>(dense).to_host());
}

TEST_CASE("no lines give none; other lengths than the named one and other last dimensions are refused") {
  tg::device gpu;
  const tg::array<float, 3> none(gpu, {0, 4, 2}), three(gpu, {1, 3, 2}), flat(gpu, {1, 4, 3});
  CHECK(tg::fft<4>(none).size() == 0);
  CHECK(tg::inverse_fft<4>(none).size() == 0);
  CHECK(tg::real_fft<256>(tg::array<float, 2>(gpu, {0, 256})).shape() == tg::array_shape<3>(0, 129, 2));
  CHECK(code_of_error([&] { tg::fft<4>(three); }) == 705);
  CHECK(code_of_error([&] { tg::fft<4>(flat); }) == 705);
  CHECK(code_of_error([&] { tg::fft<128>(none); }) == 705);
  CHECK(code_of_error([&] { tg::real_fft<256>(tg::array<float, 2>(gpu, {1, 128})); }) == 705);
  CHECK(code_of_error([&] { tg::inverse_real_fft<256>(three); }) == 705);
  CHECK(code_of_error([&] { tg::inverse_real_fft<256>(flat); }) == 705);
  CHECK_THROWS_WITH_AS(tg::inverse_real_fft<8>(tg::array<float, 2>(gpu, {0, 2})),
                       doctest::Contains("TG705: tg::inverse_real_fft of an array of shape (0, 2)"), tg::error);
}

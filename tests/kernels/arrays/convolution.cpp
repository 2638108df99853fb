#include <kernels/arrays/convolution.hpp>

#include <kernels/reference/conv2d.hpp>

#include "../../tile/tiles.hpp"
#include "../inputs.hpp"
#include "refusals.hpp"

namespace {

using refusals::code_of_error;
namespace reference = tg::kernels::reference;

template <class T> std::vector<T> numbers(inputs::generator& random, std::int64_t count) {
  std::vector<T> out(static_cast<std::size_t>(count));
  for (T& x : out) x = static_cast<T>(random.between(-1, 1));
  return out;
}

/// The largest error relative to the rounding of results and of so many additions in float.
template <class T, int Rank>
double worst_of(const tg::array<T, Rank>& found, const reference::conv2d_sums& wanted, double terms) {
  const auto host = found.to_host();
  REQUIRE(host.size() == wanted.value.size());
  tiles::excess excess;
  for (std::size_t i = 0; i < host.size(); ++i)
    excess(static_cast<double>(host[i]), wanted.value[i],
           tiles::unit<T> * std::abs(wanted.value[i]) + (terms + 2) * 0x1p-24 * wanted.size[i] + 1e-7);
  return excess.worst;
}

struct picture { std::int64_t pictures, channels, outs, height, width, window_height, window_width; };

template <class T, unsigned Named = 0> void check_conv2d(const picture& p, const tg::convolution_options& options) {
  tg::device gpu;
  inputs::generator random;
  INFO("seed ", random.seed, ", channels ", p.channels, ", height ", p.height, ", stride ", options.stride);
  const auto host = numbers<T>(random, p.pictures * p.height * p.width * p.channels);
  const auto weights = numbers<T>(random, p.outs * p.window_height * p.window_width * p.channels);
  const tg::array<T, 4> x(gpu, {p.pictures, p.height, p.width, p.channels}, host),
      w(gpu, {p.outs, p.window_height, p.window_width, p.channels}, weights);
  const auto y = tg::conv2d<Named>(x, w, options);
  const auto out = [&](std::int64_t extent, std::int64_t window) {
    return (extent + 2 * options.padding - window) / options.stride + 1;
  };
  REQUIRE(y.shape() == tg::array_shape<4>(p.pictures, out(p.height, p.window_height), out(p.width, p.window_width), p.outs));
  const auto number = [](std::int64_t n) { return static_cast<unsigned>(n); };
  const reference::conv2d_sizes sizes{number(p.pictures),      number(p.channels),      number(p.outs),
                                      number(p.height),        number(p.width),         number(y.extent(1)),
                                      number(y.extent(2)),     number(p.window_height), number(p.window_width),
                                      number(options.padding), number(options.padding), number(options.stride)};
  CHECK(worst_of(y, reference::conv2d(host, weights, sizes), double(sizes.places() * sizes.channels)) <= 1);

  const auto d_y = numbers<T>(random, static_cast<std::int64_t>(y.size()));
  const auto slopes = tg::conv2d_gradients<Named>(x, w, tg::array<T, 4>(gpu, y.shape(), d_y), options);
  CHECK(slopes.w.shape() == w.shape());
  CHECK(worst_of(slopes.x, reference::conv2d_data_gradient(d_y, weights, sizes), double(sizes.places() * sizes.outs)) <= 1);
  CHECK(worst_of(slopes.w, reference::conv2d_weight_gradient(d_y, host, sizes), double(sizes.out_pixels())) <= 1);
}

/// Depthwise and line convolutions on the host.
template <class T> void check_depthwise(const picture& p, const tg::convolution_options& options) {
  tg::device gpu;
  inputs::generator random;
  INFO("seed ", random.seed, ", channels ", p.channels, ", height ", p.height, ", stride ", options.stride);
  const auto host = numbers<T>(random, p.pictures * p.height * p.width * p.channels);
  const auto weights = numbers<T>(random, p.window_height * p.window_width * p.channels);
  const auto y = tg::depthwise_conv2d(tg::array<T, 4>(gpu, {p.pictures, p.height, p.width, p.channels}, host),
                                      tg::array<T, 3>(gpu, {p.window_height, p.window_width, p.channels}, weights), options);
  const std::int64_t lines = (p.height + 2 * options.padding - p.window_height) / options.stride + 1;
  const std::int64_t columns = (p.width + 2 * options.padding - p.window_width) / options.stride + 1;
  REQUIRE(y.shape() == tg::array_shape<4>(p.pictures, lines, columns, p.channels));
  reference::conv2d_sums wanted(y.size());
  for (std::int64_t out = 0; out < p.pictures * lines * columns; ++out)
    for (std::int64_t place = 0; place < p.window_height * p.window_width; ++place) {
      const std::int64_t line = out / columns % lines * options.stride + place / p.window_width - options.padding;
      const std::int64_t column = out % columns * options.stride + place % p.window_width - options.padding;
      if (line < 0 || column < 0 || line >= p.height || column >= p.width) continue;
      const std::int64_t in = (out / (lines * columns) * p.height + line) * p.width + column;
      for (std::int64_t c = 0; c < p.channels; ++c)
        wanted.add(static_cast<std::size_t>(out * p.channels + c),
                   double(host[static_cast<std::size_t>(in * p.channels + c)]) *
                       double(weights[static_cast<std::size_t>(place * p.channels + c)]));
    }
  CHECK(worst_of(y, wanted, double(p.window_height * p.window_width)) <= 1);
}

template <class T> void check_lines(std::int64_t lines, std::int64_t n, std::int64_t taps, int padding) {
  tg::device gpu;
  inputs::generator random;
  INFO("seed ", random.seed, ", n ", n, ", taps ", taps);
  const auto host = numbers<T>(random, 2 * lines * n), weights = numbers<T>(random, taps);
  const auto y = tg::conv1d(tg::array<T, 3>(gpu, {2, lines, n}, host), tg::array<T, 1>(gpu, weights), {.padding = padding});
  const std::int64_t outputs = n + 2 * padding - taps + 1;
  REQUIRE(y.shape() == tg::array_shape<3>(2, lines, outputs));
  reference::conv2d_sums wanted(y.size());
  for (std::int64_t line = 0; line < 2 * lines; ++line)
    for (std::int64_t i = 0; i < outputs; ++i)
      for (std::int64_t k = 0; k < taps; ++k)
        if (const std::int64_t from = i + k - padding; from >= 0 && from < n)
          wanted.add(static_cast<std::size_t>(line * outputs + i),
                     double(host[static_cast<std::size_t>(line * n + from)]) * double(weights[static_cast<std::size_t>(k)]));
  CHECK(worst_of(y, wanted, double(taps)) <= 1);
}

}  // namespace

TEST_CASE("convolutions over all channels, and their gradients") {
  check_conv2d<tg::bf16>({2, 16, 24, 9, 11, 3, 3}, {.padding = 1});
  check_conv2d<tg::bf16>({1, 8, 136, 13, 7, 3, 1}, {.stride = 2});
  check_conv2d<tg::f16>({1, 24, 8, 5, 5, 5, 5}, {});
}
TEST_CASE("a stride that is named, and pixels in parts") {
  check_conv2d<tg::bf16, 3>({2, 8, 8, 16, 10, 2, 2}, {.stride = 3, .padding = 2});
  check_conv2d<tg::bf16, 1>({3, 8, 8, 27, 29, 1, 1}, {});
}
TEST_CASE("depthwise convolutions") {
  check_depthwise<float>({2, 20, 0, 9, 11, 3, 3}, {.padding = 1});
  check_depthwise<tg::bf16>({1, 264, 0, 6, 7, 2, 5}, {.stride = 2, .padding = 2});
  check_depthwise<tg::f16>({1, 8, 0, 1, 1, 1, 1}, {});
}
TEST_CASE("convolutions of lines") {
  check_lines<float>(3, 257, 5, 2);
  check_lines<double>(1, 1009, 31, 0);
  check_lines<float>(1, 1, 1, 0);
}

TEST_CASE("no pictures and pictures of zeros alone") {
  tg::device gpu;
  const tg::array<tg::bf16, 4> none(gpu, {0, 4, 4, 8}), flat(gpu, {1, 0, 4, 8}), w(gpu, {8, 3, 3, 8});
  CHECK(tg::conv2d<1>(none, w).shape() == tg::array_shape<4>(0, 2, 2, 8));
  for (const tg::bf16 x : tg::conv2d<1>(flat, w, {.padding = 2}).to_host()) CHECK(static_cast<float>(x) == 0);
  const auto slopes = tg::conv2d_gradients<1>(none, w, tg::array<tg::bf16, 4>(gpu, {0, 2, 2, 8}));
  for (const tg::bf16 x : slopes.w.to_host()) CHECK(static_cast<float>(x) == 0);
}

TEST_CASE("channels, windows and strides that do not fit are refused") {
  tg::device gpu;
  const auto make = [&](std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) {
    return tg::array<tg::bf16, 4>(gpu, {a, b, c, d});
  };
  const auto x = make(1, 5, 5, 8), w = make(8, 3, 3, 8);
  CHECK(code_of_error([&] { tg::conv2d(x, make(8, 3, 3, 16)); }) == 700);
  CHECK(code_of_error([&] { tg::conv2d(x, make(4, 3, 3, 8)); }) == 705);
  CHECK(code_of_error([&] { tg::conv2d(x, make(8, 6, 3, 8)); }) == 705);
  CHECK(code_of_error([&] { tg::conv2d(x, w, {.stride = 0}); }) == 705);
  CHECK(code_of_error([&] { tg::conv2d(x, w, {.stride = 3}); }) == 705);
  CHECK(code_of_error([&] { tg::conv2d(x, w, {.padding = -1}); }) == 705);
  CHECK(code_of_error([&] { tg::conv2d_gradients(x, w, x); }) == 700);
  const tg::array<tg::bf16, 3> wide(gpu, {3, 3, 16}), large(gpu, {6, 3, 8});
  CHECK(code_of_error([&] { tg::depthwise_conv2d(x, wide); }) == 700);
  CHECK(code_of_error([&] { tg::depthwise_conv2d(x, large); }) == 705);
  const tg::array<float, 1> line(gpu, {8}), taps(gpu, {9}), three(gpu, {3});
  CHECK(code_of_error([&] { tg::conv1d(line, taps); }) == 705);
  CHECK(code_of_error([&] { tg::conv1d(line, three, {.stride = 2}); }) == 705);
}

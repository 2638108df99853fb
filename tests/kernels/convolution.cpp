#include <kernels/convolution.hpp>

#include "inputs.hpp"

using namespace tg::kernels;

namespace {

template <class T> std::vector<T> numbers(inputs::generator& random, std::size_t count) {
  std::vector<T> out;
  for (const float x : random.floats(count)) out.push_back(T(x));
  return out;
}

template <class T> void check_lines() {
  tg::device gpu;
  inputs::generator random;
  const double unit = sizeof(T) == 8 ? 0x1p-52 : 0x1p-24;
  for (const int n : {1, 5, 255, 256, 257, 512, 1009})
    for (const int taps : {1, 3, 8, 37})
      for (const int before : {0, taps - 1, taps / 2}) {
        const int outputs = n + 2 * before - taps + 1;
        if (outputs <= 0) continue;
        constexpr int lines = 2;
        INFO("seed ", random.seed, ", n ", n, ", taps ", taps, ", before ", before);
        const auto x = numbers<T>(random, static_cast<std::size_t>(lines * n)), w = numbers<T>(random, std::size_t(taps));
        const auto width = static_cast<std::size_t>(n), out_width = static_cast<std::size_t>(outputs);
        inputs::rows<T> on_x(gpu, x, lines, width, width + 1), y(gpu, lines, out_width, out_width + 3);
        auto on_w = gpu.upload(w);
        gpu.launch(conv1d<T>, conv1d_grid(unsigned(outputs), lines), on_x.matrix(), on_w, y.matrix(), n, outputs, taps, before);
        std::vector<double> wanted, allowed;
        for (int b = 0; b < lines; ++b)
          for (int i = 0; i < outputs; ++i) {
            double sum = 0, size = 0;
            for (int k = 0; k < taps; ++k) {
              const int from = i + k - before;
              if (from < 0 || from >= n) continue;
              const double term = double(w[std::size_t(k)]) * double(x[std::size_t(b * n + from)]);
              sum += term, size += std::abs(term);
            }
            wanted.push_back(sum);
            allowed.push_back((taps + 1) * unit * size);
          }
        CHECK(inputs::largest_excess<T>(y.to_host(), wanted, [&](std::size_t i) { return allowed[i]; }) <= 0);
      }
}

template <class T> void check_pictures(const conv2d_shape& s, unsigned channels) {
  tg::device gpu;
  inputs::generator random;
  constexpr int pictures = 2;
  const int out_height = s.out_height(), out_width = s.out_width(), pixels = pictures * out_height * out_width;
  INFO("seed ", random.seed, ", channels ", channels, ", ", s.height, " x ", s.width, " by ", s.weight_height, " x ",
       s.weight_width, ", stride ", s.stride);
  const auto rows = std::size_t(pictures * s.height * s.width), taps = std::size_t(s.weight_height * s.weight_width);
  const auto x = numbers<T>(random, rows * channels), w = numbers<T>(random, taps * channels);
  const unsigned leading = channels + 16 / sizeof(T);
  inputs::rows<T> on_x(gpu, x, rows, channels, leading), on_w(gpu, w, taps, channels, leading);
  inputs::rows<T> y(gpu, std::size_t(pixels), channels, leading);
  gpu.launch(depthwise_conv2d<T>, depthwise_conv2d_grid<T>(unsigned(pixels), channels), on_x.matrix(), on_w.matrix(),
             y.matrix(), pixels, channels, s.height, s.width, s.weight_height, s.weight_width, out_height, out_width, s.stride,
             s.pad_top, s.pad_left);
  std::vector<double> wanted, allowed;
  const double own_unit = std::is_same_v<T, tg::bf16> ? 0x1p-8 : std::is_same_v<T, tg::f16> ? 0x1p-11 : 0;
  for (int at = 0; at < pixels; ++at)
    for (unsigned c = 0; c < channels; ++c) {
      const int j = at % out_width, i = at / out_width % out_height, b = at / out_width / out_height;
      double sum = 0, size = 0;
      for (int p = 0; p < s.weight_height; ++p)
        for (int q = 0; q < s.weight_width; ++q) {
          const int r = i * s.stride + p - s.pad_top, column = j * s.stride + q - s.pad_left;
          if (r < 0 || r >= s.height || column < 0 || column >= s.width) continue;
          const double term = double(w[std::size_t(p * s.weight_width + q) * channels + c]) *
                              double(x[std::size_t((b * s.height + r) * s.width + column) * channels + c]);
          sum += term, size += std::abs(term);
        }
      wanted.push_back(sum);
      // Halves below 2^-14 are 2^-24 apart.
      allowed.push_back((double(taps) + 1) * 0x1p-24 * size * 1.01 + own_unit * std::abs(sum) + (own_unit > 0 ? 0x1p-25 : 0));
    }
  CHECK(inputs::largest_excess<T>(y.to_host(), wanted, [&](std::size_t i) { return allowed[i]; }) <= 0);
}

}  // namespace

TEST_CASE("convolutions of lines, without padding, with all of it, and centred") {
  check_lines<float>();
  check_lines<double>();
}

TEST_CASE("depthwise convolutions of pictures") {
  check_pictures<float>({1, 1, 1, 1}, 4);
  check_pictures<float>({7, 5, 3, 3, 1, 1, 1, 1, 1}, 132);
  check_pictures<float>({9, 11, 5, 3, 2, 2, 1, 2, 1}, 20);
  check_pictures<tg::f16>({8, 8, 3, 3, 2, 0, 0, 1, 1}, 256);
  check_pictures<tg::bf16>({6, 13, 1, 7, 1, 0, 3, 0, 3}, 264);
}

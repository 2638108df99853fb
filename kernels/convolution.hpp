// Convolutions as neural networks have them, which do not turn the weights round: of lines, and depthwise of pictures in NHWC,
// where each channel has weights of its own. What is outside of a line or picture counts as 0.
//
// Neighbouring outputs read the same inputs, which the first-level cache keeps: each comes from memory about once.
#pragma once

#include <cstddef>
#include <utility>

#include <tg/dsl.hpp>
#include <tg/dsl/memory/vec_at.hpp>
#include <tg/dsl/vector/vec_cast.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// y(b, i) = sum of w(k) * x(b, i + k - before), over k < taps where x has such an element, for lines b of `n` elements that
/// become lines of `outputs`: n + before + after - taps + 1 of them pad `before` zeros in front and `after` behind. T: float,
/// double. Launch with `conv1d_grid(outputs, lines)`.
/// Requires: n, before, outputs and taps leave 1024 below 2^31.
/// Units: sums in T, in the order of k.
/// Cost: a read of x and of w from the cache for each multiplication.
template <class T>
inline constexpr auto conv1d =
    tg::kernel<"conv1d">(tg::block<256>, [](auto block, tg::in2<T> x, tg::in<T> w, tg::out2<T> y, tg::scalar<int> n,
                                            tg::scalar<int> outputs, tg::scalar<int> taps, tg::scalar<int> before) {
      const auto line = block.index.y;
      const auto i = tg::let(tg::cast<int>(block.global_index()));
      tg::if_(i < outputs, [&] {
        tg::var<T> sum = T{0};
        tg::for_(tg::range(0, taps), [&](auto k) {
          const auto from = tg::let(i + k - before);
          tg::if_(from >= 0 && from < n, [&] { sum = tg::fma(w(k), x(line, from), sum); });
        });
        y(line, i) = sum;
      });
    });

/// Blocks for `conv1d`. Requires: lines < 65536.
constexpr auto conv1d_grid(unsigned outputs, unsigned lines, source_location where = source_location::current()) {
  return tg::grid((outputs + 255) / 256, lines, where);
}

/// A picture, its weights and what comes out of them, for `depthwise_conv2d`.
struct conv2d_shape {
  int height, width;                  ///< of a picture
  int weight_height, weight_width;    ///< of the weights of a channel
  int stride = 1;                     ///< how far the weights move from one output to the next, down and right
  int pad_top = 0, pad_left = 0;      ///< zeros in front
  int pad_bottom = 0, pad_right = 0;  ///< zeros behind

  constexpr int out_height() const { return (height + pad_top + pad_bottom - weight_height) / stride + 1; }
  constexpr int out_width() const { return (width + pad_left + pad_right - weight_width) / stride + 1; }
};

/// y((b * out_height + i) * out_width + j, c) = sum of w(p * weight_width + q, c) * x((b * height + r) * width + s, c) over the
/// weights (p, q), where r = i * stride + p - top and s = j * stride + q - left are inside of picture b. Each row of x, w and y
/// has the channels of one pixel. T: float, f16, bf16, 16 bytes of channels per thread. Launch with
/// `depthwise_conv2d_grid<T>(pixels, channels)`, where pixels = pictures * out_height * out_width.
/// Requires: all rows of x together, and pixels + 8, < 2^31.
/// Units: sums in float, one rounding to T.
/// Cost: a read of x and of w from the cache for each multiplication, 16 bytes per lane.
template <class T>
inline constexpr auto depthwise_conv2d = tg::kernel<"depthwise_conv2d">(
    tg::block<32, 8>,
    [](auto block, tg::in2<T, tg::multiple_of<16 / sizeof(T)>> x, tg::in2<T, tg::multiple_of<16 / sizeof(T)>> w,
       tg::out2<T, tg::multiple_of<16 / sizeof(T)>> y, tg::scalar<int> pixels,
       tg::scalar<unsigned, tg::multiple_of<16 / sizeof(T)>> channels, tg::scalar<int> height, tg::scalar<int> width,
       tg::scalar<int> weight_height, tg::scalar<int> weight_width, tg::scalar<int> out_height, tg::scalar<int> out_width,
       tg::scalar<int> stride, tg::scalar<int> top, tg::scalar<int> left) {
      constexpr int each = 16 / sizeof(T);
      const auto pixel = tg::let(tg::cast<int>(block.index.x * 8_c + block.thread.y));
      const auto channel = tg::let((block.index.y * 32_c + block.thread.x) * constant<each>{});
      tg::if_(pixel < pixels && channel < channels, [&] {
        const auto line = tg::let(pixel / out_width);
        const auto column = tg::let((pixel - line * out_width) * stride - left);
        const auto picture = tg::let(line / out_height);
        const auto row = tg::let((line - picture * out_height) * stride - top);
        tg::regs<float, each> sum = 0.0f;
        tg::for_(tg::range(0, weight_height), [&](auto p) {
          tg::for_(tg::range(0, weight_width), [&](auto q) {
            const auto r = tg::let(row + p);
            const auto s = tg::let(column + q);
            tg::if_(r >= 0 && r < height && s >= 0 && s < width, [&] {
              const auto own = tg::cast<float>(tg::vec_at<each>(x, (picture * height + r) * width + s, channel).get());
              const auto weight = tg::cast<float>(tg::vec_at<each>(w, p * weight_width + q, channel).get());
              tg::unroll<each>([&](auto k) { sum(k) = tg::fma(weight(k), own(k), sum(k)); });
            });
          });
        });
        const auto all = [&]<std::size_t... K>(std::index_sequence<K...>) {
          return tg::make_vec(tg::let(sum(constant<static_cast<int>(K)>{}))...);
        }(std::make_index_sequence<static_cast<std::size_t>(each)>{});
        tg::vec_at<each>(y, pixel, channel) = tg::cast<T>(all);
      });
    });

/// Blocks for `depthwise_conv2d<T>`. Requires: channels < 2^23.
template <class T>
constexpr auto depthwise_conv2d_grid(unsigned pixels, unsigned channels, source_location where = source_location::current()) {
  constexpr unsigned width = 32 * 16 / sizeof(T);
  return tg::grid((pixels + 7) / 8, (channels + width - 1) / width, where);
}

}  // namespace tg::kernels

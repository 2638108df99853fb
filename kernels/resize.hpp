// Grey pictures of another size, by interpolation between the centres of pixels: pixel x of the result lies at
// (x + 0.5) * width / out_width - 0.5 of the picture, as in OpenCV and in PyTorch with align_corners=False. Outside the picture
// its edge goes on. Nothing is averaged where the result is much smaller than the picture.
//
// The place of a pixel is a fraction of integers, so that it is exact: a division says which pixels are around it, and the
// remainder how far it is from the first.
#pragma once

#include <cstdint>
#include <type_traits>

#include <tg/dsl.hpp>
#include <tg/dsl/value/assume_uniform.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// How to interpolate: by 2 x 2 pixels; by 4 x 4 with Keys' cubic where a = -0.75, as OpenCV's INTER_CUBIC and PyTorch's
/// bicubic do; with a = -0.5, as Pillow's BICUBIC does, which is the Catmull-Rom spline.
/// Source of the cubic: Keys, "Cubic convolution interpolation for digital image processing", 1981.
enum class interpolation { bilinear, bicubic, catmull_rom };

namespace detail {

/// Pixels along each axis that count.
template <interpolation How> inline constexpr int resize_taps = How == interpolation::bilinear ? 2 : 4;

/// Where a pixel of the result lies along one axis: the first of the pixels that count, and what each counts.
template <interpolation How> class resize_place {
 public:
  static constexpr int taps = resize_taps<How>;

  /// Pixel `x` of `outputs`, of a picture that has `size`.
  template <class X>
  resize_place(const X& x, const scalar<int>& size, const scalar<int>& outputs) : last_(size - 1_c), weights_(0.0f) {
    const auto count = tg::let(tg::cast<unsigned>(outputs));
    // One pixel to the right, so that it is not negative.
    const auto place = tg::let((tg::cast<unsigned>(x) * 2u + 1u) * tg::cast<unsigned>(size) + count);
    const auto whole = tg::let(place / (count * 2u));
    const auto t = tg::let(tg::cast<float>(place - whole * count * 2u) / tg::cast<float>(count * 2u));
    first_ = tg::cast<int>(whole) - taps / 2;
    const auto u = tg::let(1.0f - t);
    if constexpr (How == interpolation::bilinear) {
      weights_(0_c) = u;
      weights_(1_c) = t;
    } else {
      weights_(0_c) = t * u * u * a;
      weights_(1_c) = near(t);
      weights_(2_c) = near(u);
      weights_(3_c) = u * t * t * a;
    }
  }

  /// The pixel of tap `k`, kept inside the picture.
  template <class K> auto pixel(const K& k) const { return tg::clamp(first_ + k, 0_c, last_); }
  template <class K> auto weight(const K& k) const { return weights_(k).get(); }

 private:
  static constexpr float a = How == interpolation::bicubic ? -0.75f : -0.5f;
  /// The cubic at a distance of at most 1.
  template <class S> static auto near(const S& s) { return tg::fma(tg::fma(s, a + 2.0f, -(a + 3.0f)) * s, s, 1.0f); }

  value<int> last_;
  tg::var<int> first_ = 0;
  tg::regs<float, taps> weights_;
};

}  // namespace detail

/// resized(y, x) = the picture of height x width pixels at the place of pixel (y, x) of out_height x out_width pixels. T:
/// float; std::uint8_t, rounded to nearest and kept in 0 to 255. Launch with `resize_grid(out_width, out_height)`.
/// Requires: sizes above 0; width * out_width + out_width and height * out_height + out_height below 2^31.
/// Units: a weight along an axis is off by 12 * 2^-24 at most; sums in float. Finite samples of
/// a picture of the same size are copied exactly.
/// Cost: 4 or 16 reads from the cache for each pixel of the result; five divisions for each four.
template <class T, interpolation How = interpolation::bilinear>
inline constexpr auto resize =
    tg::kernel<"resize">(tg::block<32, 8>, [](auto block, tg::in2<T> picture, tg::out2<T> resized, tg::scalar<int> width,
                                              tg::scalar<int> height, tg::scalar<int> out_width, tg::scalar<int> out_height) {
      static_assert(std::is_same_v<T, float> || std::is_same_v<T, std::uint8_t>, "resize<T> requires floats or bytes");
      constexpr int taps = detail::resize_taps<How>;
      const auto x = tg::let(tg::cast<int>(block.global.x));
      const auto first = tg::let(tg::cast<int>(block.index.y * 32_c + block.thread.y));
      tg::if_(x < out_width, [&] {
        const detail::resize_place<How> across(x, width, out_width);
        tg::unroll<4>([&](auto own) {
          const auto y = tg::let(first + own * 8_c);
          tg::if_(y < out_height, [&] {
            const detail::resize_place<How> down(y, height, out_height);
            tg::var<float> sum = 0.0f;
            tg::unroll<taps>([&](auto i) {
              // A warp is one line of a block.
              const auto row = tg::assume_warp_uniform(down.pixel(i));
              tg::var<float> line = 0.0f;
              tg::unroll<taps>([&](auto k) {
                line = tg::fma(tg::cast<float>(picture(row, tg::gather(across.pixel(k)))), across.weight(k), line);
              });
              sum = tg::fma(line, down.weight(i), sum);
            });
            if constexpr (std::is_same_v<T, float>) resized(y, x) = sum;
            else resized(y, x) = tg::cast<std::uint8_t>(tg::round_even(sum));
          });
        });
      });
    });

/// Blocks for `resize`.
constexpr auto resize_grid(unsigned out_width, unsigned out_height, source_location where = source_location::current()) {
  return tg::grid((out_width + 31) / 32, (out_height + 31) / 32, where);
}

}  // namespace tg::kernels

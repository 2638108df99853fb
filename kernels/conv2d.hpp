// Convolutions of pictures over all channels, and their gradients, as products of matrices that are never laid out (implicit
// GEMM). Tiles: the rows of an operand are the pixels that lie under one place of the window.
//
// Rows of x and y have the channels of one pixel (NHWC), those of w the channels of one place of the window: w(o * places + t,
// c) belongs to output o and place t (PyTorch's channels_last).
//
//   conv2d                   y(pixel, o)  = sum over t, c of     x(pixel under t, c) * w(o * places + t, c)
//   conv2d_data_gradient     dx(pixel, c) = sum over t, o of     dy(pixel over t, o) * w(o * places + t, c)
//   conv2d_weight_gradient   dw(o, t, c)  = sum over pixels of   dy(pixel, o) * x(pixel under t, c)
#pragma once

#include <kernels/gemm.hpp>
#include <tg/dsl/value/bits.hpp>

namespace tg::kernels {

namespace detail {

/// The sizes of a convolution, as its kernels take them: pictures, sizes of a picture of x and of y, of the window, and how
/// many lines and columns of zeros lie in front.
struct conv2d_numbers {
  value<unsigned> pictures, height, width, out_height, out_width, window_height, window_width, top, left;

  auto places() const { return tg::let(window_height * window_width); }
  auto pixels() const { return tg::let(pictures * height * width); }
  auto out_pixels() const { return tg::let(pictures * out_height * out_width); }
};

/// A pixel by the numbers of its picture, line and column.
struct pixel_place { value<unsigned> picture, line, column; };

/// x / d, of a d that is the same all along: a product and a correction by one, with the one division in front of loops.
inline value<unsigned> divided(const value<unsigned>& x, const value<unsigned>& d) {
  const auto quotient = tg::let(tg::mul_high(x, tg::let(0xffffffffu / d)));
  return {tg::let(tg::select(x - quotient * d >= d, quotient + 1u, quotient)).operand};
}
inline pixel_place place_of_pixel(const value<unsigned>& pixel, const value<unsigned>& height, const value<unsigned>& width) {
  const auto lines = divided(pixel, width), picture = divided(lines, height);
  return {picture, {tg::let(lines - picture * height).operand}, {tg::let(pixel - lines * width).operand}};
}

/// A row that no matrix has.
inline constexpr unsigned no_pixel = 0xffffffff;

/// The pixel of x that lies under (down, across) of the window of pixel `out` of y. What lies in front of a picture wraps
/// round to a large number.
template <unsigned Stride>
auto pixel_under(const conv2d_numbers& n, const value<unsigned>& out, const value<unsigned>& down,
                 const value<unsigned>& across) {
  const auto at = place_of_pixel(out, n.out_height, n.out_width);
  const auto line = tg::let(at.line * constant<Stride>{} + down - n.top);
  const auto column = tg::let(at.column * constant<Stride>{} + across - n.left);
  const auto is_there = tg::let(out < n.out_pixels() && line < n.height && column < n.width);
  return tg::let(tg::select(is_there, (at.picture * n.height + line) * n.width + column, no_pixel));
}
/// The pixel of y whose window has pixel `in` of x at (down, across).
template <unsigned Stride>
auto pixel_over(const conv2d_numbers& n, const value<unsigned>& in, const value<unsigned>& down,
                const value<unsigned>& across) {
  const auto at = place_of_pixel(in, n.height, n.width);
  const auto line = tg::let(at.line + n.top - down);
  const auto column = tg::let(at.column + n.left - across);
  const auto own_line = tg::let(line / constant<Stride>{}), own_column = tg::let(column / constant<Stride>{});
  const auto is_hit = tg::let(((line - own_line * constant<Stride>{}) | (column - own_column * constant<Stride>{})) == 0u);
  const auto is_there = tg::let(in < n.pixels() && is_hit && own_line < n.out_height && own_column < n.out_width);
  return tg::let(tg::select(is_there, (at.picture * n.out_height + own_line) * n.out_width + own_column, no_pixel));
}

/// Goes through the places of a window, and at each through a number of channels in steps of `Step`: the same in all threads.
/// A pipeline asks for more steps than there are: those have a place behind the last.
template <unsigned Step> struct window_walk {
  tg::var<unsigned> chunk = 0u, place = 0u, down = 0u, across = 0u;

  /// What `f(channel, place, down, across)` gives; then goes on.
  template <class F> auto next(const value<unsigned>& channels, const value<unsigned>& window_width, F f) {
    const value<unsigned, index::single<index::uniform<Step>>> own{tg::let(chunk * constant<Step>{}).operand};
    const value<unsigned> t{tg::let(place).operand}, r{tg::let(down).operand}, s{tg::let(across).operand};
    const auto out = f(own, t, r, s);
    chunk += 1u;
    tg::if_(own + Step >= channels, [&] {
      chunk = 0u;
      place = t + 1u;
      const auto is_last = tg::let(s + 1u == window_width);
      across = tg::select(is_last, 0u, s + 1u);
      down = tg::select(is_last, r + 1u, r);
    });
    return out;
  }
};

template <class T> using conv2d_plan = gemm_plan<T, 128, 80>;
template <class T> using conv2d_matrix = tg::in2<T, gemm_leading<T>>;
using conv2d_channels = tg::scalar<unsigned, tg::multiple_of<8>>;

}  // namespace detail

/// A kernel (x, w, y, pictures, channels, outs, height, width, out_height, out_width, window_height, window_width, top, left,
/// extra...): y as the head of this file says, through an epilogue as `gemm` has it:
/// `conv2d<tg::bf16, 1, tg::in<float>>([](const auto& sum, const auto& at, auto bias) { return sum + at.of_columns(bias); })`.
/// T: bf16, f16. The window moves by `Stride` pixels, down and right; `top` lines and `left` columns of zeros lie in front, and
/// behind as many as are read. Launch with `conv2d_grid(pictures * out_height * out_width, outs)`.
/// Requires: channels and outs are multiples of 8; all pixels, and the rows of w, leave 128 below 2^31.
/// Units: sums in float, one rounding to T.
/// Cost: reads x once for each place of the window and each 128 outputs, mostly from a cache.
template <class T, unsigned Stride = 1, class... Extra, class Epilogue> constexpr auto conv2d(Epilogue epilogue) {
  using plan = detail::conv2d_plan<T>;
  return tg::kernel<"conv2d">(plan::block, [epilogue](auto block, detail::conv2d_matrix<T> x, detail::conv2d_matrix<T> w,
                                                      tg::out2<T, gemm_leading<T>> y, tg::scalar<unsigned> pictures,
                                                      detail::conv2d_channels channels, detail::conv2d_channels outs,
                                                      tg::scalar<unsigned> height, tg::scalar<unsigned> width,
                                                      tg::scalar<unsigned> out_height, tg::scalar<unsigned> out_width,
                                                      tg::scalar<unsigned> window_height, tg::scalar<unsigned> window_width,
                                                      tg::scalar<unsigned> top, tg::scalar<unsigned> left, Extra... extra) {
    constexpr tg::constant<plan::step> step{};
    const detail::conv2d_numbers n{pictures, height, width, out_height, out_width, window_height, window_width, top, left};
    const auto places = n.places(), out_pixels = n.out_pixels();
    const auto first = tg::let(block.index.y * 128_c), column = tg::let(block.index.x * 128_c);
    detail::window_walk<plan::step> walk;
    auto sum = tg::zeros<float, 128, 128>(plan::team(block));
    tg::add_products<plan::stages>(
        block, sum, tg::steps(places * ((channels + (step - 1_c)) / step) * step, step),
        [&](auto) {
          return walk.next(channels, n.window_width, [&](const auto& c, const auto& t, const auto& r, const auto& s) {
            const auto under = [=](const auto& row) { return detail::pixel_under<Stride>(n, {(first + row).operand}, r, s); };
            const auto weights = [=](const auto& row) { return tg::let((column + row) * places + t); };
            return tg::stage(
                tg::rows_by<128, plan::step>(tg::sized(x, tg::select(t < places, n.pixels(), 0u), channels), under, c),
                tg::rows_by<128, plan::step>(tg::sized(w, tg::select(t < places, outs * places, 0u), channels), weights, c));
          });
        },
        [](auto pixels, auto weights) { return tg::dot(pixels, tg::transposed(weights)); });
    const auto place = make_place<128, 128>(0_c, block.index.y, block.index.x, out_pixels, outs.get());
    place.of_elements(y) = tg::cast<T>(epilogue(tg::eval(sum), place, extra...));
  });
}

/// A kernel (dy, w, dx, ...) with the numbers of `conv2d`: dx as the head of this file says. Launch with
/// `conv2d_grid(pictures * height * width, channels)`. All else as `conv2d` says.
/// Cost: where the window moves by s pixels, all but one in s * s products are by zeros.
template <class T, unsigned Stride = 1>
inline constexpr auto conv2d_data_gradient = tg::kernel<"conv2d_data_gradient">(
    detail::conv2d_plan<T>::block,
    [](auto block, detail::conv2d_matrix<T> dy, detail::conv2d_matrix<T> w, tg::out2<T, gemm_leading<T>> dx,
       tg::scalar<unsigned> pictures, detail::conv2d_channels channels, detail::conv2d_channels outs,
       tg::scalar<unsigned> height, tg::scalar<unsigned> width, tg::scalar<unsigned> out_height, tg::scalar<unsigned> out_width,
       tg::scalar<unsigned> window_height, tg::scalar<unsigned> window_width, tg::scalar<unsigned> top,
       tg::scalar<unsigned> left) {
      using plan = detail::conv2d_plan<T>;
      constexpr tg::constant<plan::step> step{};
      const detail::conv2d_numbers n{pictures, height, width, out_height, out_width, window_height, window_width, top, left};
      const auto places = n.places();
      const auto first = tg::let(block.index.y * 128_c), column = tg::let(block.index.x * 128_c);
      detail::window_walk<plan::step> walk;
      auto sum = tg::zeros<float, 128, 128>(plan::team(block));
      tg::add_products<plan::stages>(
          block, sum, tg::steps(places * ((outs + (step - 1_c)) / step) * step, step),
          [&](auto) {
            return walk.next(outs, n.window_width, [&](const auto& o, const auto& t, const auto& r, const auto& s) {
              const auto over = [=](const auto& row) { return detail::pixel_over<Stride>(n, {(first + row).operand}, r, s); };
              const auto weights = [=](const auto& row) { return tg::let((o + row) * places + t); };
              return tg::stage(
                  tg::rows_by<128, plan::step>(tg::sized(dy, tg::select(t < places, n.out_pixels(), 0u), outs), over, o),
                  tg::rows_by<plan::step, 128>(tg::sized(w, tg::select(t < places, outs * places, 0u), channels), weights,
                                               column));
            });
          },
          [](auto pixels, auto weights) { return tg::dot(pixels, weights); });
      tg::tile_at<128, 128>(tg::sized(dx, n.pixels(), channels), first, column) = tg::cast<T>(sum);
    });

/// A kernel (dy, x, dw, parts, ...) with the numbers of `conv2d` behind: `parts` matrices of outs x (places * channels) below
/// each other in dw, whose sum is the gradient of w: each is over some of the pixels. For many pixels and few weights, so that
/// all of the GPU has work; `gemm_join` adds them. Launch with `conv2d_weight_grid(channels, outs, places, parts)`. Units: sums
/// in float. All else as `conv2d` says.
template <class T, unsigned Stride = 1>
inline constexpr auto conv2d_weight_gradient = tg::kernel<"conv2d_weight_gradient">(
    detail::conv2d_plan<T>::block,
    [](auto block, detail::conv2d_matrix<T> dy, detail::conv2d_matrix<T> x, tg::out2<float, tg::multiple_of<4>> dw,
       tg::scalar<unsigned> parts, tg::scalar<unsigned> pictures, detail::conv2d_channels channels,
       detail::conv2d_channels outs, tg::scalar<unsigned> height, tg::scalar<unsigned> width, tg::scalar<unsigned> out_height,
       tg::scalar<unsigned> out_width, tg::scalar<unsigned> window_height, tg::scalar<unsigned> window_width,
       tg::scalar<unsigned> top, tg::scalar<unsigned> left) {
      using plan = detail::conv2d_plan<T>;
      constexpr tg::constant<plan::step> step{};
      const detail::conv2d_numbers n{pictures, height, width, out_height, out_width, window_height, window_width, top, left};
      const auto own_parts = tg::let(tg::max(parts, 1u));  // a division by 0 would say nothing of who writes where
      const auto part = tg::let(block.index.z % own_parts);
      const auto t = tg::let(block.index.z / own_parts);
      const value<unsigned> r{tg::let(t / window_width).operand}, s{tg::let(t % window_width).operand};
      const auto length = gemm_length<plan::step>(n.out_pixels(), parts);
      const auto from = tg::let(part * (length * step));
      const auto end = tg::let(tg::max(tg::min(from + length * step, n.out_pixels()), from));
      const auto row = tg::let(block.index.y * 128_c), column = tg::let(block.index.x * 128_c);
      auto sum = tg::zeros<float, 128, 128>(plan::team(block));
      tg::add_products<plan::stages>(
          block, sum, tg::steps(end - from, step),
          [&](auto at) {
            const auto pixel = tg::let(from + at);
            const auto under = [=](const auto& own) {
              const value<unsigned> out{tg::let(pixel + own).operand};
              return tg::let(tg::select(out < end, detail::pixel_under<Stride>(n, out, r, s), detail::no_pixel));
            };
            return tg::stage(tg::tile_at<plan::step, 128>(tg::sized(dy, end, outs), pixel, row),
                             tg::rows_by<plan::step, 128>(tg::sized(x, n.pixels(), channels), under, column));
          },
          [](auto gradient, auto pixels) { return tg::dot(tg::transposed(gradient), pixels); });
      const auto above = tg::let(part * outs);
      const auto before = tg::let(t * channels);
      tg::tile_at<128, 128>(tg::sized(dw, above + outs, before + channels), above + row, before + column) = sum;
    });

/// Blocks of `conv2d` for the pixels of y and the outputs, and of its data gradient for the pixels of x and the channels.
constexpr auto conv2d_grid(unsigned pixels, unsigned channels, source_location where = source_location::current()) {
  return tg::grid((channels + 127) / 128, (pixels + 127) / 128, where);
}
/// Blocks of `conv2d_weight_gradient`.
constexpr auto conv2d_weight_grid(unsigned channels, unsigned outs, unsigned places, unsigned parts,
                                  source_location where = source_location::current()) {
  return tg::grid((channels + 127) / 128, (outs + 127) / 128, places * parts, where);
}

}  // namespace tg::kernels

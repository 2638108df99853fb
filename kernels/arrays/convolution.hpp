// Convolutions of arrays, as neural networks have them: `auto y = tg::conv2d(x, w, {.stride = 2, .padding = 1});`.
//
//   conv2d             x (pictures, height, width, channels), w (outs, window height, window width, channels)
//   depthwise_conv2d   x as above, w (window height, window width, channels)
//   conv1d             x (..., n), w (taps)
#pragma once

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>

#include <kernels/arrays/operands.hpp>
#include <kernels/conv2d.hpp>
#include <kernels/convolution.hpp>

namespace tg {

/// How the window of a convolution moves.
struct convolution_options {
  int stride = 1;   ///< Elements from one output to the next, along each dimension of a picture.
  int padding = 0;  ///< Zeros in front and behind, along each dimension of a picture; see also `tg::pad`.
};

/// What `tg::conv2d_gradients` returns.
template <class T> struct conv2d_slopes { array<T, 4> x, w; };

namespace detail {

/// The outputs along a dimension of `extent` elements. Errors: TG705 for a stride below 1, zeros fewer than none, or a window
/// that is empty or larger than what it moves over.
inline std::int64_t outputs_of_window(std::int64_t extent, std::int64_t window, const convolution_options& options,
                                      const char* name, source_location where) {
  const std::int64_t room = extent + 2 * std::int64_t{options.padding};
  if (options.stride < 1 || options.padding < 0 || window < 1 || window > room)
    refuse_shape(std::string(name) + " of " + std::to_string(extent) + " elements by a window of " + std::to_string(window) +
                     ", stride " + std::to_string(options.stride) + ", padding " + std::to_string(options.padding),
                 "strides are 1 or more; a window has 1 element or more, and at most those of a line with its zeros", where);
  return (room - window) / options.stride + 1;
}
/// Errors: TG705 unless a multiple of `of`.
inline void require_multiple(std::int64_t channels, int of, const char* name, source_location where) {
  if (channels % of != 0)
    refuse_shape(
        std::string(name) + " of " + std::to_string(channels) + " channels, which are no multiple of " + std::to_string(of),
        "add channels of zeros", where);
}

template <class T> inline constexpr bool is_half = std::is_same_v<T, f16> || std::is_same_v<T, bf16>;

template <class X, class W> consteval bool are_conv2d_operands() {
  return is_half<element_of_expression<X>> && std::is_same_v<element_of_expression<X>, element_of_expression<W>> &&
         rank_of_operand<X> == 4 && rank_of_operand<W> == 4;
}

/// The numbers of a convolution over all channels, as its kernels take them.
struct conv2d_extents {
  unsigned pictures, channels, outs, height, width, out_height, out_width, window_height, window_width, padding;

  unsigned places() const { return window_height * window_width; }
  unsigned pixels() const { return pictures * height * width; }
  unsigned out_pixels() const { return pictures * out_height * out_width; }
  bool is_empty() const { return pixels() == 0 || channels == 0 || outs == 0 || out_pixels() == 0; }
};
/// Errors: TG700 for other channels of w; TG705.
inline conv2d_extents conv2d_extents_of(const array_shape<4>& x, const array_shape<4>& w, const convolution_options& options,
                                        source_location where) {
  if (x[3] != w[3])
    throw error(
        shapes_differ,
        "x and w of tg::conv2d have the shapes " + shape_text(x.extents.data(), 4) + " and " + shape_text(w.extents.data(), 4),
        "x is (pictures, height, width, channels), w is (outs, window height, window width, channels)", where);
  require_multiple(x[3], 8, "x of tg::conv2d", where);
  require_multiple(w[0], 8, "the result of tg::conv2d", where);
  const std::int64_t out_height = outputs_of_window(x[1], w[1], options, "tg::conv2d of a column", where);
  const std::int64_t out_width = outputs_of_window(x[2], w[2], options, "tg::conv2d of a line", where);
  constexpr std::int64_t limit = 0x80000000 - 128;
  (void)extent_below(x[0] * x[1] * x[2], limit, "pixels of tg::conv2d", where);
  (void)extent_below(x[0] * out_height * out_width, limit, "pixels of the result of tg::conv2d", where);
  (void)extent_below(w[0] * w[1] * w[2], limit, "outs and places of tg::conv2d", where);
  const auto number = [](std::int64_t n) { return static_cast<unsigned>(n); };
  return {number(x[0]),       number(x[3]),      number(w[0]), number(x[1]), number(x[2]),
          number(out_height), number(out_width), number(w[1]), number(w[2]), number(options.padding)};
}

/// Calls `f(tg::constant<stride>{})` with the stride: Stride, or of 0 the one of 1 and 2 that it is. Errors: TG705 for another.
template <unsigned Stride, class F> void with_stride(int stride, source_location where, F f) {
  if constexpr (Stride != 0) {
    if (stride == static_cast<int>(Stride)) return f(constant<Stride>{});
    refuse_shape("tg::conv2d<" + std::to_string(Stride) + "> with a stride of " + std::to_string(stride), "name the stride",
                 where);
  } else {
    if (stride == 1) return f(constant<1u>{});
    if (stride == 2) return f(constant<2u>{});
    refuse_shape("tg::conv2d with a stride of " + std::to_string(stride),
                 "it chooses between 1 and 2 by itself; name another: tg::conv2d<4>(x, w, {.stride = 4})", where);
  }
}

/// Launches a kernel with three matrices and the numbers of a convolution.
template <class K, class A, class B, class C, class... Parts>
void launch_conv2d(device& gpu, const K& kernel, const placement& grid, const conv2d_extents& n, const A& a, const B& b,
                   const C& c, Parts... parts) {
  gpu.launch(kernel, grid, a, b, c, parts..., n.pictures, n.channels, n.outs, n.height, n.width, n.out_height, n.out_width,
             n.window_height, n.window_width, n.padding, n.padding);
}

/// Sums as they are.
struct plain_sums {
  template <class S, class P> auto operator()(const S& sums, const P&) const { return sums; }
};
template <class T, unsigned Stride> inline constexpr auto plain_conv2d = kernels::conv2d<T, Stride>(plain_sums{});

}  // namespace detail

/// y(b, i, j, o) = sum of w(o, p, q, c) * x(b, i * stride + p - padding, j * stride + q - padding, c) over the places (p, q) of
/// the window and all channels c; what is outside of a picture counts as 0. Elements: f16 or bf16. `Stride`: 0 chooses between
/// 1 and 2, another is named too: `tg::conv2d<4>(x, w, {.stride = 4})`. Errors: TG700, TG702, TG705 for channels that are no
/// multiples of 8 or a window that does not fit, TG722.
/// Units: sums in float, one rounding to the type of the elements.
/// Cost: reads x once for each place of the window and each 128 outputs, mostly from a cache.
template <unsigned Stride = 0, array_like X, array_like W>
auto conv2d(const X& x, const W& w, const convolution_options& options = {},
            source_location where = source_location::current()) {
  static_assert(
      detail::are_conv2d_operands<X, W>(),
      "TG722: tg::conv2d takes x and w of rank 4 and of f16 or bf16, of one type; convert with tg::cast<tg::bf16>(x)");
  if constexpr (detail::are_conv2d_operands<X, W>()) {
    using T = detail::element_of_expression<X>;
    const auto own = detail::dense_operand(x, where), weights = detail::dense_operand(w, where);
    detail::require_one_device(own, weights, where);
    const auto n = detail::conv2d_extents_of(own.shape(), weights.shape(), options, where);
    device gpu = detail::device_of_operand(own, where);
    array<T, 4> y(gpu, {n.pictures, n.out_height, n.out_width, n.outs}, where);
    detail::with_stride<Stride>(options.stride, where, [&](auto stride) {
      if (y.size() == 0) return;
      if (n.is_empty()) {
        y = T(0.0f);
        return;
      }
      detail::launch_conv2d(
          gpu, detail::plain_conv2d<T, decltype(stride)::value>, kernels::conv2d_grid(n.out_pixels(), n.outs, where), n,
          tg::matrix(detail::part_of_operand(own), n.pixels(), n.channels),
          tg::matrix(detail::part_of_operand(weights), n.outs * n.places(), n.channels), tg::matrix(y, n.out_pixels(), n.outs));
    });
    return y;
  }
}

/// The gradients of x and w of `tg::conv2d` from that of its result. Returns: `.x` and `.w`. Errors: those of `tg::conv2d`, and
/// TG700 where `d_y` has not the shape of the result.
/// Units: sums in float; those of w in parts, where there are many pixels and few weights.
/// Cost: where the window moves by s pixels, all but one in s * s products of the gradient of x are by zeros.
template <unsigned Stride = 0, array_like X, array_like W, array_like D>
auto conv2d_gradients(const X& x, const W& w, const D& d_y, const convolution_options& options = {},
                      source_location where = source_location::current()) {
  static_assert(detail::are_conv2d_operands<X, W>() && detail::are_conv2d_operands<X, D>(),
                "TG722: tg::conv2d_gradients takes arrays of rank 4 and of f16 or bf16, of one type; "
                "convert with tg::cast<tg::bf16>(x)");
  if constexpr (detail::are_conv2d_operands<X, W>() && detail::are_conv2d_operands<X, D>()) {
    using T = detail::element_of_expression<X>;
    const auto own = detail::dense_operand(x, where), weights = detail::dense_operand(w, where),
               slope = detail::dense_operand(d_y, where);
    detail::require_one_device(own, weights, where);
    detail::require_one_device(own, slope, where);
    const auto n = detail::conv2d_extents_of(own.shape(), weights.shape(), options, where);
    detail::require_equal_shapes(array_shape<4>(n.pictures, n.out_height, n.out_width, n.outs), slope.shape(),
                                 "the result and its gradient of tg::conv2d_gradients", where);
    device gpu = detail::device_of_operand(own, where);
    conv2d_slopes<T> out{{gpu, own.shape(), where}, {gpu, weights.shape(), where}};
    detail::with_stride<Stride>(options.stride, where, [&](auto stride) {
      if (n.is_empty()) {
        for (auto* each : {&out.x, &out.w})
          if (each->size() > 0) *each = T(0.0f);
        return;
      }
      constexpr unsigned step = decltype(stride)::value;
      const auto d_out = tg::matrix(detail::part_of_operand(slope), n.out_pixels(), n.outs);
      detail::launch_conv2d(gpu, kernels::conv2d_data_gradient<T, step>, kernels::conv2d_grid(n.pixels(), n.channels, where), n,
                            d_out, tg::matrix(detail::part_of_operand(weights), n.outs * n.places(), n.channels),
                            tg::matrix(out.x, n.pixels(), n.channels));
      // Parts of the pixels, so that each multiprocessor has two blocks, but none fewer pixels than 1024.
      const unsigned blocks = (n.channels + 127) / 128 * ((n.outs + 127) / 128) * n.places();
      const auto wanted = 2 * static_cast<unsigned>(gpu.limits().multiprocessors) / blocks;
      const unsigned parts = std::clamp(wanted, 1u, std::min(64u, n.out_pixels() / 1024 + 1));
      array<float, 3> sums(gpu, {parts, n.outs, n.places() * n.channels}, where);
      detail::launch_conv2d(gpu, kernels::conv2d_weight_gradient<T, step>,
                            kernels::conv2d_weight_grid(n.channels, n.outs, n.places(), parts, where), n, d_out,
                            tg::matrix(detail::part_of_operand(own), n.pixels(), n.channels),
                            tg::matrix(sums, parts * n.outs, n.places() * n.channels), parts);
      out.w.reshape({n.outs, n.places() * n.channels}) = tg::cast<T>(tg::sum<0>(sums));
    });
    return out;
  }
}

/// y(b, i, j, c) = sum of w(p, q, c) * x(b, i * stride + p - padding, j * stride + q - padding, c) over the places (p, q) of
/// the window: each channel by itself. Elements: float, f16, bf16. Errors: TG700, TG702, TG705 for a row of channels that is no
/// multiple of 16 bytes or a window that does not fit, TG722.
/// Units: sums in float, one rounding to the type of the elements.
/// Cost: a read of x and of w from the cache for each multiplication, 16 bytes per lane.
template <array_like X, array_like W>
auto depthwise_conv2d(const X& x, const W& w, const convolution_options& options = {},
                      source_location where = source_location::current()) {
  using T = detail::element_of_expression<X>;
  static_assert(detail::rank_of_operand<X> == 4 && detail::rank_of_operand<W> == 3 &&
                    (detail::is_half<T> || std::is_same_v<T, float>) && std::is_same_v<T, detail::element_of_expression<W>>,
                "TG722: tg::depthwise_conv2d takes x of rank 4 and w of rank 3, of float, f16 or bf16 and of one type; "
                "convert with tg::cast<float>(x)");
  const auto own = detail::dense_operand(x, where);
  const auto weights = detail::dense_operand(w, where);
  detail::require_one_device(own, weights, where);
  if (own.extent(3) != weights.extent(2))
    throw error(detail::shapes_differ,
                "x and w of tg::depthwise_conv2d have the shapes " + detail::shape_text(own.shape().extents.data(), 4) +
                    " and " + detail::shape_text(weights.shape().extents.data(), 3),
                "x is (pictures, height, width, channels), w is (window height, window width, channels)", where);
  detail::require_multiple(own.extent(3), 16 / sizeof(T), "x of tg::depthwise_conv2d", where);
  const auto lines =
      detail::outputs_of_window(own.extent(1), weights.extent(0), options, "tg::depthwise_conv2d of a column", where);
  const auto columns =
      detail::outputs_of_window(own.extent(2), weights.extent(1), options, "tg::depthwise_conv2d of a line", where);
  const unsigned channels = detail::extent_below(own.extent(3), 1 << 23, "channels of tg::depthwise_conv2d", where);
  constexpr std::int64_t limit = 0x80000000 - 8;
  const unsigned in_pixels =
      detail::extent_below(own.extent(0) * own.extent(1) * own.extent(2), limit, "pixels of tg::depthwise_conv2d", where);
  const unsigned pixels =
      detail::extent_below(own.extent(0) * lines * columns, limit, "pixels of the result of tg::depthwise_conv2d", where);
  device gpu = detail::device_of_operand(own, where);
  array<T, 4> y(gpu, {own.extent(0), lines, columns, own.extent(3)}, where);
  if (y.size() == 0) return y;
  if (in_pixels == 0) {
    y = T(0.0f);
    return y;
  }
  const auto number = [](std::int64_t n) { return static_cast<int>(n); };
  const int window_height = number(weights.extent(0)), window_width = number(weights.extent(1));
  gpu.launch(kernels::depthwise_conv2d<T>, kernels::depthwise_conv2d_grid<T>(pixels, channels, where),
             tg::matrix(detail::part_of_operand(own), in_pixels, channels),
             tg::matrix(detail::part_of_operand(weights), static_cast<std::size_t>(window_height * window_width), channels),
             tg::matrix(y, pixels, channels), number(pixels), channels, number(own.extent(1)), number(own.extent(2)),
             window_height, window_width, number(lines), number(columns), options.stride, options.padding, options.padding);
  return y;
}

/// y(..., i) = sum of w(k) * x(..., i + k - padding) over the taps k: lines along the last dimension, of any rank from 1 on.
/// Elements: float, double. Errors: TG702, TG705 for a stride other than 1, a window that does not fit, or 65536 lines, TG722.
/// Cost: a read of x and of w from the cache for each multiplication.
template <array_like X, array_like W>
auto conv1d(const X& x, const W& w, const convolution_options& options = {},
            source_location where = source_location::current()) {
  using T = detail::element_of_expression<X>;
  constexpr int rank = detail::rank_of_operand<X>;
  constexpr bool fits = rank > 0 && detail::rank_of_operand<W> == 1 && std::is_floating_point_v<T> &&
                        std::is_same_v<T, detail::element_of_expression<W>>;
  static_assert(fits, "TG722: tg::conv1d takes x of rank 1 or more and w of rank 1, both of float or both of double; "
                      "convert with tg::cast<float>(x)");
  if constexpr (!fits) {
    return detail::refused_result<X>();
  } else {
    const auto own = detail::dense_operand(x, where);
    const auto weights = detail::dense_operand(w, where);
    detail::require_one_device(own, weights, where);
    if (options.stride != 1)
      detail::refuse_shape("tg::conv1d with a stride of " + std::to_string(options.stride),
                           "take some of the results: y(tg::range(0, n, stride))", where);
    auto shape = own.shape();
    const std::int64_t n = shape[rank - 1];
    shape[rank - 1] = detail::outputs_of_window(n, weights.extent(0), options, "tg::conv1d of a line", where);
    constexpr std::int64_t limit = 0x80000000 - 1024;
    (void)detail::extent_below(n + shape[rank - 1] + weights.extent(0) + options.padding, limit, "elements of tg::conv1d",
                               where);
    device gpu = detail::device_of_operand(own, where);
    array<T, rank> y(gpu, shape, where);
    if (y.size() == 0) return y;
    if (own.size() == 0) {
      y = T(0);
      return y;
    }
    const unsigned lines =
        detail::extent_below(static_cast<std::int64_t>(y.size()) / shape[rank - 1], 65536, "lines of tg::conv1d", where);
    const auto number = [](std::int64_t count) { return static_cast<unsigned>(count); };
    gpu.launch(kernels::conv1d<T>, kernels::conv1d_grid(number(shape[rank - 1]), lines, where),
               tg::matrix(detail::part_of_operand(own), lines, number(n)), detail::part_of_operand(weights),
               tg::matrix(y, lines, number(shape[rank - 1])), static_cast<int>(n), static_cast<int>(shape[rank - 1]),
               static_cast<int>(weights.extent(0)), options.padding);
    return y;
  }
}

}  // namespace tg

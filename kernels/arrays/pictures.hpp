// Filters of grey pictures as arrays (..., height, width): `auto y = tg::resize(x, {480, 640});`. Outside a picture its edge
// goes on. Elements: float, or std::uint8_t from 0 to 255. A stack of pictures is a launch for each; those whose bytes are no
// multiple of 16 are copied apart first.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include <kernels/arrays/operands.hpp>
#include <kernels/bilateral.hpp>
#include <kernels/equalize.hpp>
#include <kernels/median.hpp>
#include <kernels/resize.hpp>
#include <tg/runtime/buffer.hpp>

namespace tg {

/// How `tg::resize` interpolates: bilinear, bicubic as OpenCV and PyTorch have it, catmull_rom as Pillow has it.
using interpolation = kernels::interpolation;

namespace detail {

template <class T> inline constexpr bool is_sample = std::is_same_v<T, float> || std::is_same_v<T, std::uint8_t>;
template <class X> consteval bool are_pictures() { return is_sample<element_of_expression<X>> && rank_of_operand<X> >= 2; }

/// From one picture of a stack to the next, in elements of T: a kernel's picture begins at a multiple of 16 bytes.
template <class T> std::int64_t picture_stride(std::int64_t pictures, std::int64_t pixels) {
  constexpr auto each = static_cast<std::int64_t>(16 / sizeof(T));
  return pictures > 1 ? (pixels + each - 1) / each * each : pixels;
}

/// Calls `f(from, to)` with the matrices of each picture. Errors: TG705 for sides of 2^31 - 64 or more.
template <class T, int Rank, class F>
void for_each_picture(const array_view<const T, Rank>& x, array<T, Rank>& y, source_location where, F f) {
  constexpr std::int64_t limit = 0x80000000 - 64;
  const std::int64_t height = extent_below(x.extent(Rank - 2), limit, "lines of a picture", where);
  const std::int64_t width = extent_below(x.extent(Rank - 1), limit, "columns of a picture", where);
  const std::int64_t pixels = height * width, out_pixels = y.extent(Rank - 2) * y.extent(Rank - 1);
  if (x.size() == 0 || y.size() == 0) return;
  const std::int64_t pictures = static_cast<std::int64_t>(x.size()) / pixels;
  const std::int64_t stride = picture_stride<T>(pictures, pixels), out_stride = picture_stride<T>(pictures, out_pixels);
  const device gpu = device_of_operand(x, where);
  array<T, 2> apart, out_apart;
  part<const T> from = part_of_operand(x);
  part<T> to = y.whole();
  if (stride != pixels) {
    apart = array<T, 2>(gpu, {pictures, stride}, where);
    apart(tg::full_extent, tg::range(0, pixels)) = x.reshape({pictures, pixels});
    from = apart.whole();
  }
  if (out_stride != out_pixels) {
    out_apart = array<T, 2>(gpu, {pictures, out_stride}, where);
    to = out_apart.whole();
  }
  const auto count = [](std::int64_t n) { return static_cast<std::size_t>(n); };
  for (std::int64_t k = 0; k < pictures; ++k)
    f(tg::matrix(from.sub(count(k * stride), count(pixels)), count(height), count(width)),
      tg::matrix(to.sub(count(k * out_stride), count(out_pixels)), count(y.extent(Rank - 2)), count(y.extent(Rank - 1))));
  if (out_stride != out_pixels) y.reshape({pictures, out_pixels}) = out_apart(tg::full_extent, tg::range(0, out_pixels));
}

/// A filter whose result has the size of the picture: `launch(gpu, from, to, width, height)`.
template <class X, class Launch> auto filtered(const X& x, source_location where, Launch launch) {
  constexpr int rank = rank_of_operand<X>;
  const auto own = dense_operand(x, where);
  device gpu = device_of_operand(own, where);
  array<element_of_expression<X>, rank> y(gpu, own.shape(), where);
  for_each_picture(own, y, where, [&](const auto& from, const auto& to) {
    launch(gpu, from, to, static_cast<int>(own.extent(rank - 1)), static_cast<int>(own.extent(rank - 2)));
  });
  return y;
}

}  // namespace detail

/// The median of the Size x Size pixels around each; Size: 3 or 5. Errors: TG705, TG722.
/// Cost: a launch for each picture; each sample is read from memory about once.
/// Example: const auto clean = tg::median_filter<5>(picture);
template <int Size = 3, array_like X> auto median_filter(const X& x, source_location where = source_location::current()) {
  static_assert((Size == 3 || Size == 5) && detail::are_pictures<X>(),
                "TG722: tg::median_filter<3> and <5> take pictures of float or std::uint8_t, of rank 2 or more; convert with "
                "tg::cast<float>(x)");
  using T = detail::element_of_expression<X>;
  return detail::filtered(x, where, [&](device& gpu, const auto& from, const auto& to, int width, int height) {
    const auto grid = kernels::median_grid<T>(static_cast<unsigned>(width), static_cast<unsigned>(height), where);
    gpu.launch(kernels::median<T, Size>, grid, from, to, width, height);
  });
}

/// The mean of the pixels at most Radius away, with weights that fall with the distance, by sigma_space pixels, and with the
/// difference of samples, by sigma_range of them (0 to 255 for bytes): it smooths and keeps edges. Radius: 1 to 8.
/// Errors: TG705 unless both sigmas are above 0, TG722.
/// Units: a weight is off by 4 * 2^-24 of itself, and by 8 * 2^-24 for each factor of e that it is below 1.
/// Cost: a launch for each picture; an ex2 and five operations for each pixel in reach.
template <int Radius = 3, array_like X>
auto bilateral_filter(const X& x, float sigma_space, float sigma_range, source_location where = source_location::current()) {
  static_assert(Radius >= 1 && Radius <= 8 && detail::are_pictures<X>(),
                "TG722: tg::bilateral_filter<1> to <8> take pictures of float or std::uint8_t, of rank 2 or more; convert with "
                "tg::cast<float>(x)");
  using T = detail::element_of_expression<X>;
  if (!(sigma_space > 0 && sigma_range > 0))
    detail::refuse_shape(
        "tg::bilateral_filter with sigmas of " + std::to_string(sigma_space) + " and " + std::to_string(sigma_range),
        "both are above 0: pixels, and units of samples", where);
  return detail::filtered(x, where, [&](device& gpu, const auto& from, const auto& to, int width, int height) {
    const auto grid = kernels::bilateral_grid(static_cast<unsigned>(width), static_cast<unsigned>(height), where);
    gpu.launch(kernels::bilateral<T, Radius>, grid, from, to, width, height, sigma_space, sigma_range);
  });
}

/// The pictures with another height and width, with centres of pixels on centres; bytes are rounded to nearest.
/// Errors: TG705 for sides of 0, or whose product is 2^31 or more, TG722.
/// Units: a weight along an axis is off by 12 * 2^-24 at most; sums in float.
/// Cost: a launch for each picture; 4 or 16 reads from the cache for each pixel of the result.
/// Example: const auto half = tg::resize(x, {x.extent(0) / 2, x.extent(1) / 2}, tg::interpolation::bicubic);
template <array_like X>
auto resize(const X& x, const array_shape<2>& size, interpolation how = interpolation::bilinear,
            source_location where = source_location::current()) {
  constexpr bool fits = detail::are_pictures<X>();
  static_assert(
      fits, "TG722: tg::resize takes pictures of float or std::uint8_t, of rank 2 or more; convert with tg::cast<float>(x)");
  if constexpr (!fits) {
    return detail::refused_result<X>();
  } else {
    using T = detail::element_of_expression<X>;
    constexpr int rank = detail::rank_of_operand<X>;
    const auto own = detail::dense_operand(x, where);
    auto shape = own.shape();
    for (int axis = 0; axis < 2; ++axis) {
      auto& extent = shape[rank - 2 + axis];
      if (extent < 1 || size[axis] < 1 || extent >= std::int64_t{1} << 31 || size[axis] >= std::int64_t{1} << 31 ||
          (extent + 1) * size[axis] >= std::int64_t{1} << 31)
        detail::refuse_shape(
            "tg::resize of " + std::to_string(extent) + " pixels along an axis to " + std::to_string(size[axis]),
            "sides are above 0, and the product of both is below 2^31", where);
      extent = size[axis];
    }
    device gpu = detail::device_of_operand(own, where);
    array<T, rank> y(gpu, shape, where);
    detail::for_each_picture(own, y, where, [&](const auto& from, const auto& to) {
      const auto number = [](std::int64_t n) { return static_cast<int>(n); };
      const auto grid = kernels::resize_grid(static_cast<unsigned>(size[1]), static_cast<unsigned>(size[0]), where);
      const auto launch = [&](const auto& kernel) {
        gpu.launch(kernel, grid, from, to, number(own.extent(rank - 1)), number(own.extent(rank - 2)), number(size[1]),
                   number(size[0]));
      };
      if (how == interpolation::bilinear) launch(kernels::resize<T, interpolation::bilinear>);
      else if (how == interpolation::bicubic) launch(kernels::resize<T, interpolation::bicubic>);
      else launch(kernels::resize<T, interpolation::catmull_rom>);
    });
    return y;
  }
}

/// A picture whose bytes are spread over 0 to 255 so that about as many are below each value as it says, byte for byte as
/// OpenCV's equalizeHist: all elements of an array of any rank are one picture. Errors: TG705 for 2^31 bytes or more, TG722.
/// Cost: two reads and a write of the picture.
template <array_like X> auto equalize(const X& x, source_location where = source_location::current()) {
  constexpr bool fits = std::is_same_v<detail::element_of_expression<X>, std::uint8_t>;
  static_assert(fits, "TG722: tg::equalize takes an array of std::uint8_t; convert with tg::cast<std::uint8_t>(x)");
  if constexpr (!fits) {
    return detail::refused_result<X>();
  } else {
    const auto own = detail::dense_operand(x, where);
    device gpu = detail::device_of_operand(own, where);
    array<std::uint8_t, detail::rank_of_operand<X>> y(gpu, own.shape(), where);
    const unsigned n =
        detail::extent_below(static_cast<std::int64_t>(own.size()), std::int64_t{1} << 31, "bytes of tg::equalize", where);
    if (n == 0) return y;
    auto bins = gpu.zeros<unsigned>(256);
    auto table = gpu.allocate<std::uint8_t>(256);
    auto out = y.whole();
    kernels::equalize(gpu, detail::part_of_operand(own), out, bins, table, n);
    return y;
  }
}

}  // namespace tg

// Fourier transforms of arrays: `auto y = tg::fft(x);`. A complex number is two neighbouring floats: the last dimension has
// extent 2, the one before it is that of the transform.
//
//   fft, inverse_fft         (..., n, 2)               -> (..., n, 2)
//   fft_2d, inverse_fft_2d   (..., rows, columns, 2)   -> (..., rows, columns, 2)
//   real_fft                 (..., n)                  -> (..., n / 2 + 1, 2)
//   inverse_real_fft         (..., n / 2 + 1, 2)       -> (..., n)
#pragma once

#include <bit>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <kernels/arrays/operands.hpp>
#include <kernels/fft.hpp>
#include <kernels/fft_2d.hpp>
#include <kernels/real_fft.hpp>

namespace tg {

namespace detail {

template <class X> consteval bool are_lines_of_floats(int least_rank) {
  return rank_of_operand<X> >= least_rank && std::is_same_v<element_of_expression<X>, float>;
}

/// Errors: TG705 unless the last dimension holds complex numbers.
template <int Rank> void require_complex(const array_shape<Rank>& shape, const char* name, source_location where) {
  if (shape[Rank - 1] != 2)
    refuse_shape(std::string(name) + " of an array of shape " + shape_text(shape.extents.data(), Rank),
                 "the last dimension has a real and an imaginary part: extent 2", where);
}

/// Errors: TG705 unless lines of n numbers have a transform: a power of two from Least to Most.
inline void require_fft_length(std::int64_t n, unsigned least, unsigned most, const char* name, source_location where) {
  if (n < least || n > most || (n & (n - 1)) != 0)
    refuse_shape(
        std::string(name) + " of lines of " + std::to_string(n),
        "lengths are powers of two from " + std::to_string(least) + " to " + std::to_string(most) + "; tg::pad adds zeros",
        where);
}

/// Calls `f(tg::constant<n>{})` with the length of lines: N, or of 0 the power of two from Least to Most that it is.
/// Errors: TG705 for another.
template <unsigned N, unsigned Least, unsigned Most, class F>
void with_fft_length(std::int64_t n, const char* name, source_location where, F f) {
  if constexpr (N != 0) {
    static_assert(
        N >= Least && N <= Most && std::has_single_bit(N),
        "TG722: the length of a Fourier transform is a power of two: 2 to 4096 of complex, 8 to 8192 of real numbers");
    if (n == N) return f(constant<N>{});
    refuse_shape(std::string(name) + "<" + std::to_string(N) + "> of lines of " + std::to_string(n),
                 "give lines of the length that is named; tg::pad adds zeros", where);
  } else {
    require_fft_length(n, Least, Most, name, where);
    const auto try_one = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
      constexpr unsigned length = Least << K;
      if (n == length) f(constant<length>{});
    };
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      (try_one(std::integral_constant<std::size_t, K>{}), ...);
    }(std::make_index_sequence<std::bit_width(Most / Least)>{});
  }
}

/// The roots of a transform on the host, made once.
template <unsigned N> const auto& roots_of_fft() {
  static const auto roots = kernels::fft_roots<N>();
  return roots;
}
template <unsigned N> const auto& roots_of_real_fft() {
  static const auto roots = kernels::real_fft_roots<N>();
  return roots;
}

/// Lines of a transform, the extents in front of the last `Behind`. Errors: TG705.
template <int Behind, int Rank> unsigned lines_of(const array_shape<Rank>& shape, source_location where) {
  std::int64_t lines = 1;
  for (int k = 0; k + Behind < Rank; ++k) lines *= shape[k];
  return extent_below(lines, std::int64_t{1} << 31, "lines of a Fourier transform", where);
}

/// Transforms `lines` lines of n complex numbers into others.
template <unsigned N, bool Inverse>
void launch_fft(device& gpu, part<const float> x, part<float> y, std::int64_t n, unsigned lines, const char* name,
                source_location where) {
  with_fft_length<N, 2, 4096>(n, name, where, [&](auto length) {
    constexpr unsigned own = decltype(length)::value;
    if (lines == 0) return;
    const auto roots = gpu.upload(roots_of_fft<own>());
    gpu.launch(kernels::fft<own, Inverse>, kernels::fft_grid<own>(lines, where), tg::matrix(x, lines, 2 * own), roots,
               tg::matrix(y, lines, 2 * own), lines);
  });
}

template <unsigned N, bool Inverse, class X> auto transform_lines(const X& x, const char* name, source_location where) {
  constexpr int rank = rank_of_operand<X>;
  const auto own = dense_operand(x, where);
  require_complex(own.shape(), name, where);
  device gpu = device_of_operand(own, where);
  array<float, rank> y(gpu, own.shape(), where);
  const std::int64_t n = own.extent(rank - 2);
  launch_fft<N, Inverse>(gpu, part_of_operand(own), y.whole(), n, lines_of<2>(own.shape(), where), name, where);
  if (Inverse && y.size() > 0) y = y * (1 / static_cast<float>(n));
  return y;
}

/// Exchanges rows and columns of pictures of complex numbers.
inline void transpose_pictures(device& gpu, part<const float> x, part<float> y, unsigned pictures, unsigned rows,
                               unsigned columns, source_location where) {
  gpu.launch(kernels::transpose_complex, kernels::transpose_complex_grid(pictures, rows, columns, where),
             tg::matrix(x, std::size_t{pictures} * rows, std::size_t{2} * columns),
             tg::matrix(y, std::size_t{pictures} * columns, std::size_t{2} * rows), rows, columns);
}

template <bool Inverse, class X> auto transform_pictures(const X& x, const char* name, source_location where) {
  constexpr int rank = rank_of_operand<X>;
  const auto own = dense_operand(x, where);
  const auto& shape = own.shape();
  require_complex(shape, name, where);
  device gpu = device_of_operand(own, where);
  require_fft_length(shape[rank - 3], 2, 4096, name, where);
  require_fft_length(shape[rank - 2], 2, 4096, name, where);
  const unsigned pictures = lines_of<3>(shape, where);
  (void)extent_below(pictures, 65536, "pictures of a Fourier transform", where);
  array<float, rank> y(gpu, shape, where), turned(gpu, shape, where);
  const part<const float> from_y = y.whole(), from_turned = turned.whole();
  const unsigned lines = lines_of<2>(shape, where);
  launch_fft<0, Inverse>(gpu, part_of_operand(own), y.whole(), shape[rank - 2], lines, name, where);
  const auto rows = static_cast<unsigned>(shape[rank - 3]), columns = static_cast<unsigned>(shape[rank - 2]);
  if (lines > 0) transpose_pictures(gpu, from_y, turned.whole(), pictures, rows, columns, where);
  launch_fft<0, Inverse>(gpu, from_turned, y.whole(), rows, pictures * columns, name, where);
  if (lines > 0) transpose_pictures(gpu, from_y, turned.whole(), pictures, columns, rows, where);
  if (Inverse && lines > 0) turned = turned * (1 / (static_cast<float>(rows) * static_cast<float>(columns)));
  return turned;
}

}  // namespace detail

/// y(..., k) = sum of x(..., j) * exp(-2 pi i j k / n) over the complex numbers of a line. Elements: float. `N`: the length, a
/// power of two from 2 to 4096; 0 chooses at run time, and costs the compiler a kernel for each of them.
/// Errors: TG705 for another length, or a last dimension that has not extent 2; TG722.
/// Units: the error of a line in the Euclidean norm is below log2(n) * 7 * 2^-24 of the norm of y.
/// Cost: a read and a write of each number, and a copy of the roots of unity to the device, at most as many as numbers in a
/// line.
template <unsigned N = 0, array_like X> auto fft(const X& x, source_location where = source_location::current()) {
  static_assert(detail::are_lines_of_floats<X>(2),
                "TG722: tg::fft takes an array of float of rank 2 or more, (..., n, 2); convert with tg::cast<float>(x)");
  return detail::transform_lines<N, false>(x, "tg::fft", where);
}
/// The inverse: of exp(+2 pi i j k / n), divided by n, so that `tg::inverse_fft(tg::fft(x))` is x. All else as `tg::fft` says.
/// Cost: that of `tg::fft`, and one more read and write of the result.
template <unsigned N = 0, array_like X> auto inverse_fft(const X& x, source_location where = source_location::current()) {
  static_assert(
      detail::are_lines_of_floats<X>(2),
      "TG722: tg::inverse_fft takes an array of float of rank 2 or more, (..., n, 2); convert with tg::cast<float>(x)");
  return detail::transform_lines<N, true>(x, "tg::inverse_fft", where);
}

/// Transforms of pictures along rows and columns, each as `tg::fft` says. Errors: those of `tg::fft`; TG705 for 65536 pictures
/// or more.
/// Units: the error of a picture in the Euclidean norm is below log2(rows * columns) * 7 * 2^-24 of the norm of y.
/// Cost: reads and writes each number four times.
template <array_like X> auto fft_2d(const X& x, source_location where = source_location::current()) {
  static_assert(detail::are_lines_of_floats<X>(3),
                "TG722: tg::fft_2d takes an array of float of rank 3 or more, (..., rows, columns, 2); convert with "
                "tg::cast<float>(x)");
  return detail::transform_pictures<false>(x, "tg::fft_2d", where);
}
/// The inverse, divided by rows * columns. All else as `tg::fft_2d` says.
template <array_like X> auto inverse_fft_2d(const X& x, source_location where = source_location::current()) {
  static_assert(detail::are_lines_of_floats<X>(3),
                "TG722: tg::inverse_fft_2d takes an array of float of rank 3 or more, (..., rows, columns, 2); convert with "
                "tg::cast<float>(x)");
  return detail::transform_pictures<true>(x, "tg::inverse_fft_2d", where);
}

/// The first n / 2 + 1 numbers of the transform of real lines; the others are their conjugates. `N`: the length, a power of two
/// from 8 to 8192; 0 chooses at run time. Errors, error bound and cost: those of `tg::fft`, for half as many numbers.
template <unsigned N = 0, array_like X> auto real_fft(const X& x, source_location where = source_location::current()) {
  constexpr bool fits = detail::are_lines_of_floats<X>(1);
  static_assert(fits,
                "TG722: tg::real_fft takes an array of float of rank 1 or more, (..., n); convert with tg::cast<float>(x)");
  if constexpr (!fits) {
    return detail::refused_result<X>();
  } else {
    constexpr int rank = detail::rank_of_operand<X>;
    const auto own = detail::dense_operand(x, where);
    const std::int64_t n = own.extent(rank - 1);
    const unsigned lines = detail::lines_of<1>(own.shape(), where);
    device gpu = detail::device_of_operand(own, where);
    array_shape<rank + 1> shape;
    for (int k = 0; k + 1 < rank; ++k) shape[k] = own.extent(k);
    shape[rank - 1] = n / 2 + 1;
    shape[rank] = 2;
    array<float, rank + 1> y(gpu, shape, where);
    detail::with_fft_length<N, 8, 8192>(n, "tg::real_fft", where, [&](auto length) {
      constexpr unsigned size = decltype(length)::value;
      if (lines == 0) return;
      const auto roots = gpu.upload(detail::roots_of_real_fft<size>());
      gpu.launch(kernels::real_fft<size>, kernels::real_fft_grid<size>(lines, where),
                 tg::matrix(detail::part_of_operand(own), lines, size), roots, tg::matrix(y, lines, size + 2), lines);
    });
    return y;
  }
}
/// The real lines of which these are the first n / 2 + 1 numbers: `tg::inverse_real_fft(tg::real_fft(x))` is x. The imaginary
/// parts of the first and the last are not read. All else as `tg::real_fft` says.
template <unsigned N = 0, array_like X> auto inverse_real_fft(const X& x, source_location where = source_location::current()) {
  constexpr bool fits = detail::are_lines_of_floats<X>(2);
  static_assert(fits,
                "TG722: tg::inverse_real_fft takes an array of float of rank 2 or more, (..., n / 2 + 1, 2); convert with "
                "tg::cast<float>(x)");
  if constexpr (!fits) {
    return detail::refused_result<X>();
  } else {
    constexpr int rank = detail::rank_of_operand<X>;
    const auto own = detail::dense_operand(x, where);
    detail::require_complex(own.shape(), "tg::inverse_real_fft", where);
    if (own.extent(rank - 2) == 0)
      detail::refuse_shape("tg::inverse_real_fft of an array of shape " + detail::shape_text(own.shape().extents.data(), rank),
                           "the dimension before the last has n / 2 + 1 numbers, n a power of two from 8 to 8192", where);
    const std::int64_t n = 2 * (own.extent(rank - 2) - 1);
    const unsigned lines = detail::lines_of<2>(own.shape(), where);
    device gpu = detail::device_of_operand(own, where);
    array_shape<rank - 1> shape;
    for (int k = 0; k + 2 < rank; ++k) shape[k] = own.extent(k);
    shape[rank - 2] = n;
    array<float, rank - 1> y(gpu, shape, where);
    detail::with_fft_length<N, 8, 8192>(n, "tg::inverse_real_fft", where, [&](auto length) {
      constexpr unsigned size = decltype(length)::value;
      if (lines == 0) return;
      const auto roots = gpu.upload(detail::roots_of_real_fft<size>());
      gpu.launch(kernels::real_fft_inverse<size>, kernels::real_fft_grid<size>(lines, where),
                 tg::matrix(detail::part_of_operand(own), lines, size + 2), roots, tg::matrix(y, lines, size), lines);
      y = y * (1.0f / size);
    });
    return y;
  }
}

}  // namespace tg

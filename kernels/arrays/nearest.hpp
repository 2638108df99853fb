// The nearest of many points: `const auto found = tg::nearest<8>(points, queries);`.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include <kernels/arrays/operands.hpp>
#include <kernels/nearest.hpp>

namespace tg {

/// What `tg::nearest` returns: (queries, K), the nearest first.
struct nearest_points {
  array<float, 2> squares;  ///< The squares of distances; infinity where there are no K points.
  array<int, 2> points;     ///< The numbers of points; -1 where there are no K points.
};

namespace detail {

/// Calls `f(tg::constant<d>{})` with the number of dimensions that a kernel is made for and `dimensions` fit into.
template <class F> void with_dimensions(std::int64_t dimensions, F f) {
  if (dimensions <= 2) f(constant<2>{});
  else if (dimensions == 3) f(constant<3>{});
  else if (dimensions == 4) f(constant<4>{});
  else if (dimensions <= 8) f(constant<8>{});
  else if (dimensions <= 16) f(constant<16>{});
  else f(constant<32>{});
}

/// Points as a row for each of `rows` coordinates; those that they have not are 0, which adds nothing to a distance.
template <class X>
array<float, 2> coordinate_rows(const device& gpu, const X& points, std::int64_t rows, source_location where) {
  array<float, 2> out(gpu, {rows, points.extent(0)}, where);
  if (rows > points.extent(1)) out = 0.0f;
  out(tg::range(0, points.extent(1)), tg::full_extent) = points.transpose();
  return out;
}

}  // namespace detail

/// The K points that are nearest to each query, by all distances: points (n, dimensions), queries (count, dimensions), of 1 to
/// 32 dimensions. K: 1 to 32. Where distances are equal the lower number comes first; points at infinite or NaN distances are
/// not found. Elements: float. Returns: `.squares` and `.points`. Errors: TG700 where the dimensions differ, TG702, TG705,
/// TG722. Units: a distance is a sum of squares of differences in float, in the order of coordinates, each with one rounding.
/// Cost: two operations for each coordinate of each pair, of as many coordinates as the next of 2, 3, 4, 8, 16, 32; what is
/// read and written is turned round once.
/// Example: const auto found = tg::nearest<1>(centres, points);
template <int K, array_like P, array_like Q>
nearest_points nearest(const P& points, const Q& queries, source_location where = source_location::current()) {
  constexpr bool fits = K >= 1 && K <= 32 && detail::rank_of_operand<P> == 2 && detail::rank_of_operand<Q> == 2 &&
                        std::is_same_v<detail::element_of_expression<P>, float> &&
                        std::is_same_v<detail::element_of_expression<Q>, float>;
  static_assert(
      fits, "TG722: tg::nearest<1> to <32> take points and queries of float, (n, dimensions) and (count, dimensions); convert "
            "with tg::cast<float>(x)");
  if constexpr (!fits) {
    return {};
  } else {
    const auto own = detail::dense_operand(points, where), from = detail::dense_operand(queries, where);
    detail::require_one_device(own, from, where);
    detail::require_equal_shapes(array_shape<1>(own.extent(1)), array_shape<1>(from.extent(1)),
                                 "the dimensions of points and queries of tg::nearest", where);
    const std::int64_t dimensions = own.extent(1);
    if (dimensions < 1 || dimensions > 32)
      detail::refuse_shape("tg::nearest of points of " + std::to_string(dimensions) + " dimensions", "they have 1 to 32",
                           where);
    const unsigned n = detail::extent_below(own.extent(0), 0x80000000 - 128, "points of tg::nearest", where);
    const unsigned count = detail::extent_below(from.extent(0), 0x80000000 - 128, "queries of tg::nearest", where);
    device gpu = detail::device_of_operand(own, where);
    nearest_points out{{gpu, {count, K}, where}, {gpu, {count, K}, where}};
    if (count == 0) return out;
    if (n == 0) {
      out.squares = std::numeric_limits<float>::infinity();
      out.points = -1;
      return out;
    }
    array<float, 2> squares(gpu, {K, count}, where);
    array<int, 2> numbers(gpu, {K, count}, where);
    detail::with_dimensions(dimensions, [&](auto rows) {
      constexpr int width = decltype(rows)::value;
      const auto all = detail::coordinate_rows(gpu, own, width, where),
                 asked = detail::coordinate_rows(gpu, from, width, where);
      gpu.launch(kernels::nearest<K, width>, kernels::nearest_grid(count, where), tg::matrix(all, width, n),
                 tg::matrix(asked, width, count), tg::matrix(squares, K, count),
                 tg::matrix(detail::written_as<unsigned>(numbers), K, count), n, count);
    });
    out.squares = tg::transpose(squares);
    out.points = tg::transpose(numbers);
    return out;
  }
}

}  // namespace tg

// Small matrices in batches, and sparse matrices: `auto l = tg::cholesky(a);`, `auto x = tg::cholesky_solve(l, b);`,
// `auto y = tg::csr_matmul(offsets, columns, values, x);`.
#pragma once

#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include <kernels/arrays/operands.hpp>
#include <kernels/cholesky.hpp>
#include <kernels/sparse.hpp>
#include <kernels/triangular_solve.hpp>

namespace tg {

/// Which system `tg::solve_triangular` solves: `tg::solve_triangular<tg::triangular_options{.transposed = true}>(l, b)`.
using triangular_options = kernels::triangular_options;

namespace detail {

template <class X> consteval bool are_float_matrices(int least_rank) {
  return std::is_floating_point_v<element_of_expression<X>> && rank_of_operand<X> >= least_rank;
}

/// The rows of square matrices in the last two dimensions. Errors: TG705 unless square, of 64 rows at most.
template <int Rank> unsigned rows_of_square(const array_shape<Rank>& shape, const char* name, source_location where) {
  const std::int64_t n = shape[Rank - 1];
  if (shape[Rank - 2] != n || n > 64)
    refuse_shape(std::string(name) + " of an array of shape " + shape_text(shape.extents.data(), Rank),
                 "the last two dimensions are a square matrix of up to 64 rows", where);
  return static_cast<unsigned>(n);
}
/// The matrices in front of the last `Behind` dimensions. Errors: TG705 for too many.
template <int Behind, int Rank>
unsigned matrices_of(const array_shape<Rank>& shape, const char* what, std::int64_t limit, source_location where) {
  std::int64_t out = 1;
  for (int k = 0; k + Behind < Rank; ++k) out *= shape[k];
  return extent_below(out, limit, what, where);
}

/// Solves in place: x holds the right-hand sides, `columns` for each of `batch` matrices.
template <triangular_options Options, class T, int Rank, int RankX>
void solve_in_place(const array_view<const T, Rank>& a, array<T, RankX>& x, unsigned n, unsigned columns, unsigned batch,
                    source_location where) {
  if (x.size() == 0) return;
  device gpu = device_of_operand(x, where);
  const std::size_t rows = std::size_t{batch} * n;
  const auto launch = [&](const auto& kernel) {
    gpu.launch(kernel, kernels::triangular_solve_grid(columns, batch, where), tg::matrix(part_of_operand(a), rows, n),
               tg::matrix(x, rows, columns), n, columns);
  };
  if (n <= 32) launch(kernels::triangular_solve<T, Options, 32>);
  else launch(kernels::triangular_solve<T, Options, 64>);
}

template <class A, class B> consteval bool are_system() {
  return are_float_matrices<A>(2) && std::is_same_v<element_of_expression<A>, element_of_expression<B>> &&
         (rank_of_operand<B> == rank_of_operand<A> || rank_of_operand<B> + 1 == rank_of_operand<A>);
}
/// A copy of the right-hand sides, of which `solve(a, x, n, columns, batch)` makes the solution. Errors: TG700, TG702, TG705.
template <class A, class B, class Solve>
auto solve_system(const A& a, const B& b, const char* name, source_location where, Solve solve) {
  using T = element_of_expression<A>;
  constexpr int rank = rank_of_operand<A>, rank_x = rank_of_operand<B>;
  const auto own = dense_operand(a, where);
  const unsigned n = rows_of_square(own.shape(), name, where);
  const unsigned batch = matrices_of<2>(own.shape(), "systems with a triangle", 65536, where);
  array<T, rank_x> x(b, where);
  require_one_device(own, x, where);
  bool fits = true;
  for (int k = 0; k + 1 < rank; ++k) fits = fits && x.extent(k) == own.extent(k);
  if (!fits)
    throw error(shapes_differ,
                std::string("the matrices and right-hand sides of ") + name + " have the shapes " +
                    shape_text(own.shape().extents.data(), rank) + " and " + shape_text(x.shape().extents.data(), rank_x),
                "right-hand sides are (..., n, columns) or (..., n) for matrices (..., n, n)", where);
  const unsigned columns =
      rank_x == rank ? extent_below(x.extent(rank_x - 1), std::int64_t{1} << 31, "right-hand sides of a system", where) : 1;
  solve(own, x, n, columns, batch);
  return x;
}

/// Elements that say where something is: `int` where nothing is below 0, or `unsigned`.
template <class X>
inline constexpr bool is_line_of_places = rank_of_operand<X> == 1 && (std::is_same_v<element_of_expression<X>, int> ||
                                                                      std::is_same_v<element_of_expression<X>, unsigned>);
template <class T> part<const unsigned> places_in(const array_view<const T, 1>& x) {
  return {x.context(), x.native(), x.size()};
}

/// A matrix in CSR in memory.
template <class T> struct csr_operand {
  part<const unsigned> offsets, columns;
  part<const T> values;
  unsigned rows;
};

/// y = A x of a vector, with as many lanes for a row as it has elements on the average, more or less.
template <class T> void multiply_csr(device& gpu, const csr_operand<T>& a, part<const T> x, part<T> y, source_location where) {
  const auto launch = [&](auto lanes) {
    constexpr unsigned each = decltype(lanes)::value;
    gpu.launch(kernels::csr_matvec<T, each>, kernels::csr_grid<each>(a.rows, where), a.offsets, a.columns, a.values, x, y, T{1},
               T{0}, a.rows);
  };
  const std::size_t mean = a.values.size() / a.rows;
  if (mean < 4) launch(constant<2u>{});
  else if (mean < 16) launch(constant<8u>{});
  else launch(constant<32u>{});
}

}  // namespace detail

/// L of A = L L^T for each matrix in the last two dimensions, with zeros above the diagonal: symmetric, positive definite, of
/// up to 64 rows. The lower triangle of A is read. A matrix that is not positive definite gives NaN in the lower triangle of L.
/// Elements: float, double. Errors: TG705 for other shapes, TG722. Units: element (i, j) of L L^T is within (j + 3) * 2^-24 *
/// (|L| |L|^T) of A, for double 2^-53. Cost: three reads and writes of A.
template <array_like A> auto cholesky(const A& a, source_location where = source_location::current()) {
  using T = detail::element_of_expression<A>;
  constexpr int rank = detail::rank_of_operand<A>;
  constexpr bool fits = detail::are_float_matrices<A>(2);
  static_assert(fits,
                "TG722: tg::cholesky takes matrices of float or double, of rank 2 or more; convert with tg::cast<float>(a)");
  if constexpr (!fits) {
    return detail::refused_result<A>();
  } else {
    array<T, rank> own(a, where);
    const unsigned n = detail::rows_of_square(own.shape(), "tg::cholesky", where);
    const unsigned batch = detail::matrices_of<2>(own.shape(), "matrices of tg::cholesky", std::int64_t{1} << 25, where);
    if (own.size() == 0) return own;
    device gpu = detail::device_of_operand(own, where);
    array<unsigned, 1> failed(gpu, {batch}, where);
    const auto launch = [&](const auto& kernel) {
      gpu.launch(kernel, tg::grid(batch, where), tg::matrix(own, std::size_t{batch} * n, n), failed.whole(), n);
    };
    if (n <= 32) launch(kernels::cholesky<T, 32>);
    else launch(kernels::cholesky<T, 64>);
    auto all = own.reshape({batch, n, n});
    const auto is_right = tg::expand<2>(tg::expand<1>(failed)) == 0u;
    all = tg::where(tg::index_of<1>(all) >= tg::index_of<2>(all), tg::where(is_right, all, std::numeric_limits<T>::quiet_NaN()),
                    T{0});
    return own;
  }
}

/// X of A X = B for triangular matrices (..., n, n) of up to 64 rows and right-hand sides (..., n, columns) or (..., n): the
/// lower triangle, or what `Options` says. The other triangle is not read; zeros on the diagonal give infinities and NaN.
/// Elements: float, double, the same in both. Errors: TG700, TG702, TG705, TG722.
/// Units: X solves a system whose elements are within (n + 1) * 2^-24 of those of A, for double 2^-53.
/// Cost: a copy of B; reads the triangle once for each 32 right-hand sides, and B once.
template <triangular_options Options = triangular_options{}, array_like A, array_like B>
auto solve_triangular(const A& a, const B& b, source_location where = source_location::current()) {
  constexpr bool fits = detail::are_system<A, B>();
  static_assert(fits,
                "TG722: tg::solve_triangular takes matrices of float or double of rank 2 or more, and right-hand sides of the "
                "same elements and of that rank or one less");
  if constexpr (!fits) {
    return detail::refused_result<B>();
  } else {
    return detail::solve_system(a, b, "tg::solve_triangular", where,
                                [&](const auto& own, auto& x, unsigned n, unsigned columns, unsigned batch) {
                                  detail::solve_in_place<Options>(own, x, n, columns, batch, where);
                                });
  }
}

/// X of L L^T X = B, where L is what `tg::cholesky` makes of A: the solution of A X = B. Shapes, elements and errors: those of
/// `tg::solve_triangular`.
/// Example: const auto x = tg::cholesky_solve(tg::cholesky(a), b);
template <array_like L, array_like B>
auto cholesky_solve(const L& l, const B& b, source_location where = source_location::current()) {
  constexpr bool fits = detail::are_system<L, B>();
  static_assert(
      fits, "TG722: tg::cholesky_solve takes matrices of float or double of rank 2 or more, and right-hand sides of the same "
            "elements and of that rank or one less");
  if constexpr (!fits) {
    return detail::refused_result<B>();
  } else {
    return detail::solve_system(
        l, b, "tg::cholesky_solve", where, [&](const auto& own, auto& x, unsigned n, unsigned columns, unsigned batch) {
          detail::solve_in_place<triangular_options{}>(own, x, n, columns, batch, where);
          detail::solve_in_place<triangular_options{.transposed = true}>(own, x, n, columns, batch, where);
        });
  }
}

/// A x for a sparse matrix in CSR: row r has the values from offsets(r) to before offsets(r + 1), which stand in the columns
/// beside them. x: a vector, or a matrix with a row for each column of A. Elements: float or double; places: int or unsigned.
/// Errors: TG700 where columns and values differ in number, TG702, TG705, TG722.
/// Requires: offsets ascend and lie inside of the values; columns lie inside of x.
/// Cost: of a vector a read of values and columns, and elements of x where columns say; of a matrix that once for each 128
/// columns of float, and two copies where a row of x is no multiple of 16 bytes.
template <array_like O, array_like C, array_like V, array_like X>
auto csr_matmul(const O& offsets, const C& columns, const V& values, const X& x,
                source_location where = source_location::current()) {
  using T = detail::element_of_expression<V>;
  constexpr int rank = detail::rank_of_operand<X>;
  constexpr bool fits = detail::is_line_of_places<O> && detail::is_line_of_places<C> && detail::rank_of_operand<V> == 1 &&
                        std::is_floating_point_v<T> && std::is_same_v<T, detail::element_of_expression<X>> &&
                        (rank == 1 || rank == 2);
  static_assert(
      fits, "TG722: tg::csr_matmul takes offsets and columns of int or unsigned, values of float or double, all of rank 1, and "
            "x of rank 1 or 2 with elements as the values");
  if constexpr (!fits) {
    return detail::refused_result<X>();
  } else {
    const auto own_offsets = detail::dense_operand(offsets, where);
    const auto own_columns = detail::dense_operand(columns, where);
    const auto own_values = detail::dense_operand(values, where);
    const auto own = detail::dense_operand(x, where);
    detail::require_one_device(own_values, own_offsets, where);
    detail::require_one_device(own_values, own_columns, where);
    detail::require_one_device(own_values, own, where);
    detail::require_equal_shapes(own_columns.shape(), own_values.shape(), "columns and values of tg::csr_matmul", where);
    if (own_offsets.size() == 0)
      detail::refuse_shape("tg::csr_matmul without offsets", "there is one more than rows of the matrix", where);
    const unsigned rows =
        detail::extent_below(own_offsets.extent(0) - 1, 0x80000000 - 256, "rows of the matrix of tg::csr_matmul", where);
    auto shape = own.shape();
    shape[0] = rows;
    device gpu = detail::device_of_operand(own, where);
    array<T, rank> y(gpu, shape, where);
    if (y.size() == 0) return y;
    if (own_values.size() == 0 || own.size() == 0) {
      y = T{0};
      return y;
    }
    const detail::csr_operand<T> a{detail::places_in(own_offsets), detail::places_in(own_columns),
                                   detail::part_of_operand(own_values), rows};
    if constexpr (rank == 1) {
      detail::multiply_csr(gpu, a, detail::part_of_operand(own), y.whole(), where);
    } else {
      constexpr std::int64_t each = 16 / sizeof(T);
      const unsigned n = detail::extent_below(own.extent(1), 65534 * std::int64_t{kernels::csr_matmat_columns<T>},
                                              "columns of x of tg::csr_matmul", where);
      const auto launch = [&](const auto& from, const auto& to) {
        gpu.launch(kernels::csr_matmat<T>, kernels::csr_matmat_grid<T>(rows, n, where), a.offsets, a.columns, a.values, from,
                   to, T{1}, T{0}, rows, n);
      };
      const std::int64_t leading = (own.extent(1) + each - 1) / each * each;
      const auto wide = static_cast<std::size_t>(leading), height = static_cast<std::size_t>(own.extent(0));
      if (leading == own.extent(1)) {
        launch(tg::matrix(detail::part_of_operand(own), height, n), tg::matrix(y, rows, n));
      } else {
        array<T, 2> from(gpu, {own.extent(0), leading}, where), to(gpu, {rows, leading}, where);
        from(tg::full_extent, tg::range(0, own.extent(1))) = own;
        launch(tg::matrix(from, height, n, wide), tg::matrix(to, rows, n, wide));
        y = to(tg::full_extent, tg::range(0, own.extent(1)));
      }
    }
    return y;
  }
}

}  // namespace tg

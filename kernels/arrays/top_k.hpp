// The largest elements of rows of arrays: `const auto best = tg::top_k(scores, 8);`.
#pragma once

#include <string>
#include <type_traits>
#include <utility>

#include <kernels/arrays/operands.hpp>
#include <kernels/top_k.hpp>

namespace tg {

/// What `tg::top_k` returns: the elements of each row, and the columns that they stood in.
template <class T, int Rank> struct top_elements {
  array<T, Rank> values;
  array<int, Rank> columns;
};

namespace detail {

/// Elements that floats stand for exactly.
template <class T>
inline constexpr bool is_exact_as_float = std::is_same_v<T, float> || std::is_same_v<T, f16> || std::is_same_v<T, bf16>;

/// Rows of an array whose last dimension has `columns` elements.
template <int Rank> std::int64_t rows_of_shape(const array_shape<Rank>& shape) {
  std::int64_t out = 1;
  for (int k = 0; k + 1 < Rank; ++k) out *= shape[k];
  return out;
}

/// An operand whose elements stand in memory as floats.
template <class X> auto float_operand(const X& x, source_location where) {
  if constexpr (std::is_same_v<element_of_expression<X>, float>) return dense_operand(x, where);
  else return dense_operand(tg::cast<float>(x), where);
}

}  // namespace detail

/// The k largest elements along the last dimension, in descending order, and their columns; of equals the lower column comes
/// first, and NaN counts as larger than infinity. Elements: float, f16, bf16; any rank from 1 on. Returns: `.values` and
/// `.columns`, of the shape of x with k as the last extent. Errors: TG705 unless k <= 64 and k is at most the columns, TG722.
/// Cost: a read of x, by one block for each row.
/// Example: const auto best = tg::top_k(tg::matmul(query, tg::transpose(keys)), 8);
template <array_like X> auto top_k(const X& x, int k, source_location where = source_location::current()) {
  using T = detail::element_of_expression<X>;
  constexpr int rank = detail::rank_of_operand<X>;
  static_assert(rank > 0 && detail::is_exact_as_float<T>,
                "TG722: tg::top_k takes rows of float, f16 or bf16, of rank 1 or more; convert others with tg::cast<float>(x)");
  const auto own = detail::float_operand(x, where);
  auto shape = own.shape();
  const unsigned columns = detail::extent_below(shape[rank - 1], 0x80000000 - 256, "columns of tg::top_k", where);
  const unsigned rows = detail::extent_below(detail::rows_of_shape(shape), 0x80000000, "rows of tg::top_k", where);
  if (k < 0 || k > static_cast<int>(kernels::most_top_k) || k > shape[rank - 1])
    detail::refuse_shape("tg::top_k of " + std::to_string(k) + " elements in rows of " + std::to_string(columns),
                         "k is 0 to 64, and at most the elements of a row; tg::argsort sorts a line of any length", where);
  device gpu = detail::device_of_operand(own, where);
  shape[rank - 1] = k;
  array<float, rank> values(gpu, shape, where);
  top_elements<T, rank> out{{}, {gpu, shape, where}};
  if (values.size() > 0) {
    const auto wide = static_cast<std::size_t>(k);
    gpu.launch(kernels::top_k, tg::grid(rows, where), tg::matrix(detail::part_of_operand(own), rows, columns),
               tg::matrix(values, rows, wide), tg::matrix(detail::written_as<unsigned>(out.columns), rows, wide), columns,
               static_cast<unsigned>(k));
  }
  if constexpr (std::is_same_v<T, float>) out.values = std::move(values);
  else out.values = array<T, rank>(tg::cast<T>(values), where);
  return out;
}

}  // namespace tg

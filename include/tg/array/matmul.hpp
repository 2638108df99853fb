// Products of matrices in expressions of arrays: `h = tg::gelu(tg::matmul(x, w) + b)` is one kernel.
#pragma once

// Before all others, so that compiler output about a diagnosis does not begin with a tower of headers.
#include <tg/array/diagnosis.hpp>

#include <string>

#include <tg/array/expression.hpp>
#include <tg/array/product_site.hpp>
#include <tg/array/reduce.hpp>
#ifndef TG_LINKS_LIBRARY
#include <tg/array/product_tiles.hpp>
#endif
#include <tg/tree/functions.hpp>
#include <tg/tree/operators.hpp>

namespace tg {

namespace detail {

/// Whether an operand is an array whose elements a product reads as they are.
template <class A> inline constexpr bool is_array_as_it_is = false;
template <class T, int Rank> inline constexpr bool is_array_as_it_is<array_leaf<T, Rank>> = true;
template <class A, int... Order> inline constexpr bool is_array_as_it_is<array_permutation<A, Order...>> = is_array_as_it_is<A>;
template <int Axis, class A> inline constexpr bool is_array_as_it_is<array_expansion<Axis, A>> = is_array_as_it_is<A>;
template <std::uint32_t Mask, class A> inline constexpr bool is_array_as_it_is<array_squeeze<Mask, A>> = is_array_as_it_is<A>;

namespace held {

/// A times B, of which the last two dimensions are those of matrices.
template <class A, class B> struct array_product : array_node {
  using T = typename A::element_type;
  using S = sum_of_products<T>;
  using element_type = S;
  using operand_type = value<S>;
  static constexpr int rank = largest({A::rank, B::rank});
  static constexpr tree_counts held = A::counts + B::counts;
  static constexpr tree_counts counts = held + tree_counts{0, 0, 1, 0};
  static constexpr char kind_of_product = 0;  // its address is the kind

  node_operands<A, B> operands;

  static constexpr void add_to(expression_facts& f, const axis_list& axes, bool) {
    const axis_list own = axes.last(rank);
    const int row = own[rank - 2], column = own[rank - 1], depth = f.rank;
    axis_list left, right;
    for (int k = rank - A::rank; k < rank - 2; ++k) left.add(own[k]);
    for (int k = rank - B::rank; k < rank - 2; ++k) right.add(own[k]);
    left.add(row), left.add(depth);
    right.add(depth), right.add(column);
    axis_list reduced;
    reduced.add(depth);
    add_reduced(f, reduced, 1);
    const tree_counts first = f.counts();
    A::add_to(f, left, true);
    B::add_to(f, right, true);
    if (f.reduction_count == most_reductions) {
      f.fits = false;
      return;
    }
    f.reductions[static_cast<std::size_t>(f.reduction_count++)] = {
        &kind_of_product, first, held, 0, 1, {code_for<S>}, true, "matmul", nullptr, nullptr, nullptr};
    if (f.product_count++ == 0)
      f.product = {A::counts,
                   row,
                   column,
                   depth,
                   is_array_as_it_is<A>,
                   is_array_as_it_is<B>,
                   !std::is_same_v<T, float>,
                   has_products_across<T>,
                   product_threads<T>,
                   record_product<T>,
                   [](element_reader r) { return to_value<T>(A::emit(r)).operand; },
                   [](element_reader r) { return to_value<T>(B::emit(r)).operand; }};
  }
  static value<S> emit(element_reader& r) {
    r.leaves += held.leaves;
    r.scalars += held.scalars;
    r.numbers += held.numbers;
    const ptx::operand* own = r.reductions + most_states * held.reductions;
    r.reductions = own + most_states;
    return {*own};
  }
  const array_product& node() const { return *this; }
  void collect(operand_list& out) const {
    operands.pass_to([&](const auto&... a) { (a.collect(out), ...); });
  }
};

}  // namespace held

/// Whether elements are multiplied by tiles: the list of product_site.inl.
template <class T>
inline constexpr bool is_product_element =
    std::is_same_v<T, float> || is_half<T> || is_byte_float<T> || std::is_same_v<T, signed char>;
template <class A, class B> constexpr bool are_matmul_operands() {
  using T = typename A::element_type;
  return std::is_same_v<T, typename B::element_type> && is_product_element<T> && A::rank >= 1 && B::rank >= 1;
}

/// How many elements an expression has along a dimension. Errors: TG700.
template <int Axis, class A> std::int64_t extent_of(const A& a, source_location where) {
  return assigned_expression<typename A::element_type, A::rank>(a, where).shape()[Axis];
}
/// A vector and a matrix, or two vectors: a reduction, which reads the matrix once. Errors: TG700 for unequal depths.
template <class S, class A, class B> auto product_with_vector(const A& a, const B& b, source_location where) {
  const std::int64_t left = extent_of<A::rank - 1>(a, where), right = extent_of<B::rank == 1 ? 0 : B::rank - 2>(b, where);
  if (left != right)
    throw error(
        shapes_differ,
        "tg::matmul over " + std::to_string(left) + " elements on the left and " + std::to_string(right) + " on the right",
        "a vector has as many elements as the matrix has there", where);
  if constexpr (A::rank == 1 && B::rank > 1) return tg::sum<B::rank - 2>(tg::cast<S>(tg::expand<1>(a)) * tg::cast<S>(b));
  else return tg::sum<A::rank - 1>(tg::cast<S>(a) * tg::cast<S>(b));
}

}  // namespace detail

/// The product of matrices: of (m, k) and (k, n) an (m, n), whose other dimensions, in front of these, broadcast. The operands
/// are arrays or expressions, what stands around the product is computed with its sums: `h = tg::gelu(tg::matmul(x, w) + b)` is
/// one kernel, and h is written once; so is `y = tg::silu(tg::matmul(x, v)) * tg::matmul(x, w)`, two products of one left
/// operand. Sums of floats are floats, those of signed char are int. Cost: operands that are arrays,
/// begin at multiples of 16 bytes and have rows that do are copied to shared memory while others are multiplied; others are
/// computed element by element, by each block anew. Of two operands one may be a vector, which makes a `tg::sum`. Requires:
/// bf16, f16, float, f8e4m3, f8e5m2 or signed char on both sides. Errors: TG700, TG705, TG706, TG718, TG719; TG506 for 8-bit
/// floats below sm_89. PTX: mma.sync; on sm_90 wgmma and cp.async.bulk.tensor; of floats fma.
template <array_like A, array_like B> auto matmul(A&& a, B&& b, source_location where = source_location::current()) {
  using left = detail::array_node_of<A>;
  using right = detail::array_node_of<B>;
  using found = diagnosis::product_operands<detail::are_matmul_operands<left, right>(), diagnosis::types<A, B>>;
  if constexpr (!diagnosis::is_ok<sizeof(found), found>) return a.node();
  else if constexpr (left::rank >= 2 && right::rank >= 2)
    return detail::array_product<left, right>{
        {}, {detail::to_array_node(static_cast<A&&>(a)), detail::to_array_node(static_cast<B&&>(b))}};
  else return detail::product_with_vector<detail::sum_of_products<typename left::element_type>>(a.node(), b.node(), where);
}

}  // namespace tg

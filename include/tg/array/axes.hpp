// Axes of expressions: their order, their numbers, and dimensions of extent 1 that come and go.
#pragma once

#include <initializer_list>

#include <tg/array/node.hpp>

namespace tg {

namespace detail {

/// Whether `Mask`, with bit 31 for an axis that is none or that is named twice, names axes.
constexpr bool are_axes(std::uint32_t mask) { return mask != 0 && (mask >> 31) == 0; }
/// The axes as bits; of none, all.
constexpr std::uint32_t axis_mask(std::initializer_list<int> axes, int rank) {
  if (axes.size() == 0) return rank == 0 ? 0 : (1u << rank) - 1;
  std::uint32_t out = 0;
  for (const int a : axes) {
    if (a < 0 || a >= rank || (out >> a & 1) != 0) return 1u << 31;
    out |= 1u << a;
  }
  return out;
}
constexpr int count_bits(std::uint32_t mask) {
  int out = 0;
  for (; mask != 0; mask &= mask - 1) ++out;
  return out;
}

/// `make(node, mask)` with the axes as the bits of a constant. Errors: TG713.
template <int... Axes, class X, class Make> auto with_axes(X&& x, Make make) {
  constexpr int rank = array_node_of<X>::rank;
  constexpr std::uint32_t mask = axis_mask({Axes...}, rank);
  using found =
      diagnosis::array_axis<are_axes(mask), diagnosis::types<diagnosis::rank_of_array<rank>, diagnosis::argument<Axes>...>>;
  if constexpr (diagnosis::is_ok<sizeof(found), found>)
    return make(to_array_node(static_cast<X&&>(x)), std::integral_constant<std::uint32_t, mask>{});
  else return x.node();
}

namespace held {

/// A without the dimensions of `Mask`, which have extent 1.
template <std::uint32_t Mask, class A> struct array_squeeze : array_node {
  using element_type = typename A::element_type;
  using operand_type = typename A::operand_type;
  static constexpr int rank = A::rank - count_bits(Mask);
  static constexpr tree_counts counts = A::counts;
  static constexpr dropped_dimensions dropped{Mask, A::rank};

  A operand;

  explicit array_squeeze(A&& a) : operand(static_cast<A&&>(a)) {}
  static constexpr void add_to(expression_facts& f, const axis_list& axes, bool is_reduced) {
    // The dimensions that go lie along axes that other reductions have, or that the result has and the operand does not: one
    // pass over those serves both. Else along axes of their own.
    constexpr int gone = count_bits(Mask);
    axis_list free;
    const std::uint32_t of_result = (1u << f.rank) - 1;
    std::uint32_t from = f.reduced & ~axes.mask();
    if (f.reduced == 0 || count_bits(from) != gone) from = of_result & ~axes.mask();
    if (count_bits(from) < gone) {
      for (int own = f.rank; free.count < gone; ++own)
        if ((axes.mask() >> own & 1) == 0) free.add(own);
    } else {
      int skipped = count_bits(from) - gone;
      for (int a = 0; a < most_axes; ++a)
        if ((from >> a & 1) != 0 && skipped-- <= 0) free.add(a);
    }
    axis_list inner;
    for (int k = 0, kept = 0, left = 0; k < A::rank; ++k) {
      if ((Mask >> k & 1) != 0) inner.add(free[left++]);
      else inner.add(axes[kept++]);
    }
    A::add_to(f, inner, is_reduced);
  }
  static operand_type emit(element_reader& r) { return A::emit(r); }
  const array_squeeze& node() const { return *this; }
  void collect(operand_list& out) const { operand.collect(out); }
};

/// A with a dimension of extent 1 more, number `Axis`.
template <int Axis, class A> struct array_expansion : array_node {
  using element_type = typename A::element_type;
  using operand_type = typename A::operand_type;
  static constexpr int rank = A::rank + 1;
  static constexpr tree_counts counts = A::counts;

  A operand;

  explicit array_expansion(A&& a) : operand(static_cast<A&&>(a)) {}
  static constexpr void add_to(expression_facts& f, const axis_list& axes, bool is_reduced) {
    axis_list inner;
    for (int k = 0; k < rank; ++k)
      if (k != Axis) inner.add(axes.last(rank)[k]);
    A::add_to(f, inner, is_reduced);
  }
  static operand_type emit(element_reader& r) { return A::emit(r); }
  const array_expansion& node() const { return *this; }
  void collect(operand_list& out) const { operand.collect(out); }
};

/// A with its dimensions in another order: dimension k is dimension `Order[k]` of A.
template <class A, int... Order> struct array_permutation : array_node {
  using element_type = typename A::element_type;
  using operand_type = typename A::operand_type;
  static constexpr int rank = A::rank;
  static constexpr tree_counts counts = A::counts;

  A operand;

  explicit array_permutation(A&& a) : operand(static_cast<A&&>(a)) {}
  static constexpr void add_to(expression_facts& f, const axis_list& axes, bool is_reduced) {
    axis_list inner = axes.last(rank);
    int k = 0;
    ((inner.axis[static_cast<std::size_t>(Order)] = axes.last(rank).axis[static_cast<std::size_t>(k++)]), ...);
    A::add_to(f, inner, is_reduced);
  }
  static operand_type emit(element_reader& r) { return A::emit(r); }
  const array_permutation& node() const { return *this; }
  void collect(operand_list& out) const { operand.collect(out); }
};

/// Numbers along a dimension of an array, of which only the shape counts.
template <int Rank, int Axis> struct array_number : array_node {
  using element_type = int;
  using operand_type = value<int>;
  static constexpr int rank = Rank;
  static constexpr tree_counts counts{1, 0, 0, 1};

  runtime::context* context = nullptr;
  array_shape<Rank> extents;
  array_shape<Rank> strides;  // zeros

  static constexpr void add_to(expression_facts& f, const axis_list& axes, bool is_reduced) {
    if (f.number_count == most_numbers || f.leaf_count == most_leaves) {
      f.fits = false;
      return;
    }
    f.leaves[static_cast<std::size_t>(f.leaf_count++)] = {element_code::s32, axes.last(Rank), is_reduced, leaf_use::shape};
    f.numbers[static_cast<std::size_t>(f.number_count++)] = {axes.last(Rank)[Axis], is_reduced, f.leaf_count - 1, Axis};
  }
  static value<int> emit(element_reader& r) {
    ++r.leaves;
    return {*r.numbers++};
  }
  const array_number& node() const { return *this; }
  void collect(operand_list& out) const {
    out.leaves[static_cast<std::size_t>(out.leaf_count++)] = {context, 0, extents.extents.data(), strides.extents.data(), Rank};
  }
};

}  // namespace held

template <class X, int... K> auto reversed(X&& x, std::integer_sequence<int, K...>) {
  return array_permutation<array_node_of<X>, int(sizeof...(K)) - 1 - K...>(to_array_node(static_cast<X&&>(x)));
}

}  // namespace detail

/// x with its dimensions in another order: `tg::permute<2, 0, 1>(x)` has as dimension 0 what is dimension 2 of x. Nothing is
/// moved. Errors: TG713.
template <int... Order, array_like X> auto permute(X&& x) {
  constexpr int rank = detail::array_node_of<X>::rank;
  constexpr bool fits = sizeof...(Order) == rank && detail::are_axes(detail::axis_mask({Order...}, rank));
  using found = diagnosis::array_axis<fits, diagnosis::types<diagnosis::rank_of_array<rank>, diagnosis::argument<Order>...>>;
  if constexpr (diagnosis::is_ok<sizeof(found), found>)
    return detail::array_permutation<detail::array_node_of<X>, Order...>(detail::to_array_node(static_cast<X&&>(x)));
  else return x.node();
}
/// x with its dimensions in reverse order: a matrix of columns and rows. Nothing is moved.
template <array_like X> auto transpose(X&& x) {
  return detail::reversed(static_cast<X&&>(x), std::make_integer_sequence<int, detail::array_node_of<X>::rank>{});
}
/// x with one more dimension, of extent 1: `tg::expand<1>(a) * tg::expand<0>(b)` of two vectors is a matrix. Errors: TG713.
template <int Axis, array_like X> auto expand(X&& x) {
  constexpr int rank = detail::array_node_of<X>::rank;
  using found = diagnosis::array_axis<(Axis >= 0 && Axis <= rank && rank < detail::most_array_rank),
                                      diagnosis::types<diagnosis::rank_of_array<rank>, diagnosis::argument<Axis>>>;
  if constexpr (diagnosis::is_ok<sizeof(found), found>)
    return detail::array_expansion<Axis, detail::array_node_of<X>>(detail::to_array_node(static_cast<X&&>(x)));
  else return x.node();
}

namespace detail {
/// An array or a view.
template <class X>
concept in_memory = requires(const X& x) { x.shape(); };
/// What is wrong with the operand of a word that takes an array or a view. Errors: TG723.
template <class X> using memory_check = diagnosis::array_in_memory<in_memory<X>, X>;
}  // namespace detail

/// The number of each element along an axis of an array, an int: `tg::where(tg::index_of<1>(x) < n, x, 0.0f)`. Nothing of x
/// is read. Errors: TG707, TG713, TG723.
template <int Axis, array_like X> auto index_of(const X& x) {
  constexpr int rank = X::rank;
  using found = diagnosis::array_axis<(Axis >= 0 && Axis < rank),
                                      diagnosis::types<diagnosis::rank_of_array<rank>, diagnosis::argument<Axis>>>;
  using memory = detail::memory_check<X>;
  if constexpr (diagnosis::is_ok<sizeof(found), found> && diagnosis::is_ok<sizeof(memory), memory>)
    return detail::array_number<rank, Axis>{{}, x.context(), x.shape(), {}};
  else return x.node();
}

}  // namespace tg

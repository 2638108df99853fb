// Elements at indices that an expression computes: `tg::take(table, i)`, embeddings, neighbours.
#pragma once

#include <tg/array/axes.hpp>
#include <tg/dsl/math/math.hpp>
#include <tg/tree/functions.hpp>
#include <tg/tree/operators.hpp>

namespace tg {

/// What `tg::shifted` finds outside of an array: the nearest element, the elements of the other end, or zero.
enum class border { clamp, wrap, zero };

namespace detail {

namespace held {

/// The elements of an array at indices I along dimension `Axis`; along others those of the result.
template <class T, int Rank, int Axis, class I> struct array_take : array_node {
  using element_type = T;
  using operand_type = value<T>;
  static constexpr int rank = Rank == 1 ? I::rank : largest({Rank, I::rank});
  static constexpr tree_counts counts = tree_counts{1, 1, 0, 0} + I::counts;

  array_leaf<T, Rank> from;
  I indices;
  std::uint64_t origin = new_scalar_origin();

  static constexpr void add_to(expression_facts& f, const axis_list& axes, bool is_reduced) {
    if (f.leaf_count == most_leaves || f.scalar_count == most_scalars) {
      f.fits = false;
      return;
    }
    axis_list own;
    for (int k = 0; k < Rank; ++k) own.add(k == Axis ? no_axis : axes.last(Rank)[k]);
    f.leaves[static_cast<std::size_t>(f.leaf_count++)] = {code_for<T>, own, is_reduced, leaf_use::address};
    f.scalars[static_cast<std::size_t>(f.scalar_count++)] = element_code::s64;  // bytes from an index to the next
    I::add_to(f, axes.last(I::rank), is_reduced);
  }
  static value<T> emit(element_reader& r) {
    const ptx::operand address = *r.leaves++, stride = *r.scalars++;
    auto& t = tracer::current();
    const value<std::int64_t> index = tg::cast<std::int64_t>(value<typename I::element_type>{I::emit(r).get().operand});
    const ptx::operand offset = t.compute(ptx::token::b64, ptx::operation::mul_low(ptx::token::s64), {index.operand, stride});
    const ptx::operand place_of = t.compute(ptx::token::b64, ptx::operation::add(ptx::token::s64), {address, offset});
    place at{.address = ptx::operand::address(place_of), .space = ptx::token::global, .cache = ptx::token::nc, .entry = {}};
    at.entry.where = t.where();
    at.entry.verdict = verdict::gather;
    at.entry.element_bytes = at.entry.access_bytes = sizeof(T);
    ptx::operand out;
    load_elements(code_for<T>, at, 1, &out);
    return {out};
  }
  const array_take& node() const { return *this; }
  void collect(operand_list& out) const {
    from.collect(out);
    const auto stride = from.strides[Axis] * static_cast<std::int64_t>(sizeof(T));
    out.add_scalar(&stride, sizeof stride, origin);
    indices.collect(out);
  }
};

}  // namespace held

/// x with `Count` dimensions of extent 1 behind its last.
template <int Count, class X> auto expanded_behind(const X& x) {
  if constexpr (Count == 0) return x.node();
  else return expanded_behind<Count - 1>(tg::expand<array_node_of<X>::rank>(x));
}

}  // namespace detail

/// The elements x(..., i(...), ...): indices along `Axis`, which i has for each element of the result, broadcast as in an
/// operation. Requires: indices are inside. Errors: TG109, TG701, TG713, TG723.
template <int Axis, array_like X, array_like I> auto take_along(const X& x, const I& i) {
  using leaf = std::remove_cvref_t<decltype(x.node())>;
  using indices = detail::array_node_of<I>;
  using axis = diagnosis::array_axis<(Axis >= 0 && Axis < leaf::rank),
                                     diagnosis::types<diagnosis::rank_of_array<leaf::rank>, diagnosis::argument<Axis>>>;
  using type = diagnosis::integer_index<is_integer<typename indices::element_type>, typename indices::element_type>;
  using memory = detail::memory_check<X>;
  if constexpr (diagnosis::is_ok<sizeof(axis), axis> && diagnosis::is_ok<sizeof(type), type> &&
                diagnosis::is_ok<sizeof(memory), memory>)
    return detail::array_take<typename leaf::element_type, leaf::rank, Axis, indices>{{}, x.node(), i.node()};
  else return x.node();
}

/// The elements of an array at the indices i along an axis, the first where none is named: `tg::take(x, i)` has the shape of
/// i, `tg::take(rows, i)` a row for each index, `tg::take<1>(x, i)` a column. Of a matrix of indices for each element see
/// `tg::take_along`. Requires: indices are inside. Errors: TG109, TG701, TG713, TG723. Cost: a read for each element, no
/// vectors.
template <int Axis = 0, array_like X, array_like I> auto take(const X& x, const I& i) {
  using leaf = std::remove_cvref_t<decltype(x.node())>;
  constexpr bool fits = Axis >= 0 && Axis < leaf::rank && (leaf::rank == 1 || detail::array_node_of<I>::rank == 1);
  using found = diagnosis::array_axis<fits, diagnosis::types<diagnosis::rank_of_array<leaf::rank>, diagnosis::argument<Axis>>>;
  if constexpr (diagnosis::is_ok<sizeof(found), found>) {
    if constexpr (leaf::rank == 1) return tg::take_along<Axis>(x, i);
    else return tg::take_along<Axis>(x, detail::expanded_behind<leaf::rank - 1 - Axis>(i));
  } else {
    return x.node();
  }
}

/// The neighbours `by` elements further along an axis: `tg::shifted<0>(x, -1)`; what lies outside says `Border`. The number
/// is an argument of the kernel. Errors: TG701, TG707, TG713, TG723.
/// Example: y = 0.5f * x + 0.25f * (tg::shifted<0>(x, -1) + tg::shifted<0>(x, 1));
template <int Axis, border Border = border::clamp, array_like X> auto shifted(const X& x, int by) {
  using memory = detail::memory_check<X>;
  if constexpr (!diagnosis::is_ok<sizeof(memory), memory>) {
    return x.node();
  } else {
    const int extent = static_cast<int>(x.shape()[Axis]), last = extent - 1;
    const int most = Border == border::wrap ? by % (extent > 0 ? extent : 1)
                     : by < -extent         ? -extent
                     : by > extent          ? extent
                                            : by;
    const auto i = tg::index_of<Axis>(x) + most;
    if constexpr (Border == border::wrap) {
      return tg::take_along<Axis>(x, tg::where(i < 0, i + extent, tg::where(i > last, i - extent, i)));
    } else {
      const auto inside = tg::take_along<Axis>(x, tg::max(tg::min(i, last), 0));
      if constexpr (Border == border::clamp) return inside;
      else return tg::where(i >= 0 && i <= last, inside, typename std::remove_cvref_t<decltype(inside)>::element_type(0));
    }
  }
}

}  // namespace tg

// Elements that go to computed indices: `tg::add_at(histogram, bins, 1)`, gradients of embeddings, sums of groups.
#pragma once

#include <tg/array/array.hpp>
#include <tg/array/assign.hpp>
#include <tg/array/take.hpp>
#include <tg/dsl/flow/if_.hpp>
#include <tg/dsl/memory/atomic.hpp>

namespace tg {

namespace detail {

namespace held {

/// What is done with the element that is there.
struct put_there {
  template <class T> static void write(const place& at, const value<T>& x) { store_elements(code_for<T>, at, 1, &x.operand); }
};
struct add_there {
  template <class T> static void write(const place& at, const value<T>& x) {
    (void)atomic<atomic_kind::add>(ptx::token::add, element<T, mode::read_write>(at), at.entry.where, x);
  }
};
/// Floats are ordered as their bits are: those without a sign as integers, those with one the other way round as unsigned ones.
template <bool Largest> struct extremum_there {
  template <class I, bool LargestBits> static void write_bits(const place& at, const value<I>& x) {
    constexpr atomic_kind kind = LargestBits ? atomic_kind::maximum : atomic_kind::minimum;
    (void)atomic<kind>(LargestBits ? ptx::token::max : ptx::token::min, element<I, mode::read_write>(at), at.entry.where, x);
  }
  template <class T> static void write(const place& at, const value<T>& x) {
    if constexpr (is_float<T> && sizeof(T) >= 4) {
      using positive = std::conditional_t<sizeof(T) == 4, int, std::int64_t>;
      using negative = std::make_unsigned_t<positive>;
      const auto bits = tg::bit_cast<positive>(x);
      if_(
          bits >= positive(0), [&] { write_bits<positive, Largest>(at, bits); }, at.entry.where)
          .else_([&] { write_bits<negative, !Largest>(at, tg::bit_cast<negative>(x)); }, at.entry.where);
    } else {
      write_bits<T, Largest>(at, x);
    }
  }
};

/// The elements of X at indices I along dimension `Axis` of an array; along others where they are.
template <class Op, class T, int Rank, int Axis, class I, class X> struct array_scatter : array_node {
  static constexpr int rank = largest({Rank == 1 ? 1 : Rank, I::rank, X::rank});
  static constexpr element_code element = code_for<T>;
  static constexpr dropped_dimensions dropped{};
  static constexpr bool scatters = true;

  array_leaf<T, Rank> to;
  I indices;
  X elements;

  static constexpr void add_to(expression_facts& f, const axis_list& axes) {
    axis_list own;
    for (int k = 0; k < Rank; ++k) own.add(k == Axis ? no_axis : axes.last(Rank)[k]);
    f.leaves[static_cast<std::size_t>(f.leaf_count++)] = {code_for<T>, own, false, leaf_use::address};
    f.scalars[static_cast<std::size_t>(f.scalar_count++)] = element_code::s64;  // bytes from an index to the next
    I::add_to(f, axes.last(I::rank), false);
    X::add_to(f, axes.last(X::rank), false);
  }
  static ptx::operand value(element_reader r) {
    const ptx::operand address = *r.leaves++, stride = *r.scalars++;
    auto& t = tracer::current();
    const tg::value<std::int64_t> index = tg::cast<std::int64_t>(tg::value<typename I::element_type>{I::emit(r).get().operand});
    const ptx::operand offset = t.compute(ptx::token::b64, ptx::operation::mul_low(ptx::token::s64), {index.operand, stride});
    const ptx::operand there = t.compute(ptx::token::b64, ptx::operation::add(ptx::token::s64), {address, offset});
    place at{.address = ptx::operand::address(there), .space = ptx::token::global, .cache = ptx::token::none, .entry = {}};
    at.entry.where = t.where();
    at.entry.verdict = verdict::gather;
    at.entry.element_bytes = at.entry.access_bytes = sizeof(T);
    Op::template write<T>(at, to_value<T>(X::emit(r)));
    return {};
  }
  void collect(operand_list& out) const {
    to.collect(out);
    const auto stride = to.strides[Axis] * static_cast<std::int64_t>(sizeof(T));
    out.add_scalar(&stride, sizeof stride, new_scalar_origin());
    indices.collect(out);
    elements.collect(out);
  }
};

}  // namespace held

/// What is wrong with giving the elements of X to an array of T at indices I, as a diagnosis. Errors: TG103, TG109, TG713,
/// TG715, TG720.
template <class T, int Rank, int Axis, class I, class X, class Node> consteval auto check_scatter() {
  using element = typename array_node_of<X, array_leaf<T, Rank>>::element_type;
  if constexpr (Axis < 0 || Axis >= Rank || (Rank > 1 && I::rank > Rank))
    return std::type_identity<
        diagnosis::array_axis<false, diagnosis::types<diagnosis::rank_of_array<Rank>, diagnosis::argument<Axis>>>>{};
  else if constexpr (!is_integer<typename I::element_type>)
    return std::type_identity<diagnosis::integer_index<false, typename I::element_type>>{};
  else if constexpr (!std::is_void_v<element> && !std::is_same_v<element, T>)
    return std::type_identity<diagnosis::assignable<false, diagnosis::types<T, element>>>{};
  else return check_assignment<assignment_of<Node::rank, Node>>();
}

template <class Op, int Axis, class T, int Rank, class I, class X>
void scatter(const array_view<T, Rank>& y, const I& i, const X& x, driver::stream_handle stream, source_location where) {
  (void)sizeof(diagnosis::written_array<!std::is_const_v<T>, array_view<T, Rank>>);
  using element = typename array_view<T, Rank>::element_type;
  const auto indices = [&] {
    constexpr int behind = Rank == 1 ? 0 : Rank - 1 - Axis;
    if constexpr (array_node_of<I>::rank == 1 && behind > 0) return expanded_behind<behind>(i);
    else return to_array_node<array_leaf<int, 1>>(i);
  }();
  using index_node = std::remove_const_t<decltype(indices)>;
  using node = array_scatter<Op, element, Rank, Axis, index_node, array_node_of<X, array_leaf<element, Rank>>>;
  using found = typename decltype(check_scatter<element, Rank, Axis, index_node, X, node>())::type;
  if constexpr (diagnosis::is_ok<sizeof(found), found>) {
    using assignment = assignment_of<node::rank, node>;
    const node own{{}, y.node(), indices, to_array_node<array_leaf<element, Rank>>(x)};
    operand_list operands;
    own.collect(operands);
    array_shape<node::rank> shape, strides;
    find_extents(assignment::facts, operands, shape.extents.data(), where);
    result_list results;
    results.places[0] = {y.context(), y.native(), shape.extents.data(), strides.extents.data(), node::rank};
    results.count = 1;
    detail::evaluate(assignment::facts, assignment::kernels, results, operands, stream, where);
  }
}
template <class T, int Rank> const array_view<T, Rank>& to_view(const array_view<T, Rank>& y) { return y; }
template <class T, int Rank> array_view<T, Rank> to_view(array<T, Rank>& y) {
  require_allocated(y.is_allocated());
  return y.view();
}
template <class T, int Rank> array_view<const T, Rank> to_view(const array<T, Rank>& y) { return y.view(); }

}  // namespace detail

#define TG_SCATTER(word, op)                                                                                                \
  template <int Axis = 0, array_like Y, class I, class X> requires(array_like<I> || operand_like<I>)                        \
  void word(Y&& y, const I& i, const X& x, source_location where = source_location::current()) {                            \
    detail::scatter<detail::op, Axis>(detail::to_view(y), i, x, driver::stream_handle(nullptr), where);                     \
  }                                                                                                                         \
  template <int Axis = 0, class Stream, array_like Y, class I, class X>                                                     \
  void word##_on(const Stream& stream, Y&& y, const I& i, const X& x, source_location where = source_location::current()) { \
    const auto handle = [&] {                                                                                               \
      if constexpr (requires { stream.native(); }) return stream.native();                                                  \
      else return driver::stream_handle(stream);                                                                            \
    }();                                                                                                                    \
    detail::scatter<detail::op, Axis>(detail::to_view(y), i, x, handle, where);                                             \
  }
/// `y(..., i, ...) += x` for each element of x, with indices along `Axis`: `tg::add_at(bins, b, 1)` counts, `tg::add_at(table,
/// i, rows)` adds a row for each index, several to one row where indices are equal. `add_at_on(stream, y, i, x)`: on a stream.
/// Requires: indices are inside; y is read nowhere in i and x. Types: integers of 32 and 64 bits, float, double, f16, bf16.
/// Floats are added in no fixed order. Errors: TG103, TG105, TG109, TG118, TG700 to TG702, TG713, TG720. Cost: an atomic for
/// each element. PTX: atom.add.
TG_SCATTER(add_at, add_there)
/// `y(i) = max(y(i), x)`: integers of 32 and 64 bits, float and double that are numbers. PTX: atom.max, atom.min.
TG_SCATTER(max_at, extremum_there<true>)
/// `y(i) = min(y(i), x)`.
TG_SCATTER(min_at, extremum_there<false>)
/// `y(i) = x`, of any type. Requires: indices are different, or nobody minds which element stays. PTX: st.
TG_SCATTER(put_at, put_there)
#undef TG_SCATTER

}  // namespace tg

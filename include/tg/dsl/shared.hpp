// Tiles in shared memory, with the layout in their type.
#pragma once

#include <string>

#include <tg/dsl/view.hpp>
#include <tg/layout/pitch.hpp>
#include <tg/layout/shape.hpp>
#include <tg/layout/swizzle.hpp>

namespace tg {

namespace detail {

// Row-major without padding unless the layout says otherwise.
template <class Layout, int Columns> struct layout_rules {
  static constexpr int pitch = Columns;
  template <class Form> using physical = Form;
  static ptx::operand apply(tracer&, ptx::operand index) { return index; }
  static constexpr bool fits(int) { return true; }
};
template <int Elems, int Columns> struct layout_rules<pitch_t<Elems>, Columns> : layout_rules<void, Columns> {
  static constexpr int pitch = Elems;
  static constexpr bool fits(int) { return Elems >= Columns; }
};
template <int B, int M, int S, int Columns> struct layout_rules<swizzle_t<B, M, S>, Columns> : layout_rules<void, Columns> {
  static constexpr std::int64_t mask = swizzle_t<B, M, S>::mask;
  template <class Form>
  using masked = index::node<Form, index::number<S>, index::shift_right<Form, index::number<S>, false>>;
  template <class Form> using picked = index::node<masked<Form>, index::number<mask>, index::bit_and<masked<Form>, index::number<mask>>>;
  template <class Form> using physical = index::node<Form, picked<Form>, index::bit_xor<Form, picked<Form>>>;

  static ptx::operand apply(tracer& t, ptx::operand index) {
    const ptx::operand high = t.compute(ptx::token::b32, ptx::opcode::shr, {ptx::token::u32}, {index, ptx::operand::integer(S)});
    const ptx::operand bits = t.compute(ptx::token::b32, ptx::opcode::and_, {ptx::token::b32}, {high, ptx::operand::integer(mask)});
    return t.compute(ptx::token::b32, ptx::opcode::xor_, {ptx::token::b32}, {index, bits});
  }
  // The permutation stays inside the tile when the tile is made of whole periods.
  static constexpr bool fits(int size) { return size % (1 << (M + S + B)) == 0; }
};

}  // namespace detail

/// A tile of T in shared memory, one per block: `tile(row, col)`, `tile(i)` for rank 1, `tile.vec<4>(row, col)`.
/// Every access is checked for bank conflicts. Errors: TG116, TG123, TG124, TG201, TG203, TG204.
/// PTX: ld.shared, st.shared with 32-bit addresses.
template <scalar_type T, class Shape, class Layout>
class tile {
 public:
  static constexpr int rank = Shape::rank;
  static constexpr int rows = rank == 1 ? 1 : Shape::extent(0);
  static constexpr int columns = Shape::extent(rank - 1);
  static constexpr int element_bytes = sizeof(T);
  using rules = detail::layout_rules<Layout, columns>;
  static constexpr int pitch_elems = rules::pitch;
  static constexpr int size_bytes = rows * pitch_elems * element_bytes;
  /// The form of the element index after the layout.
  template <class Row, class Col>
  using physical = typename rules::template physical<index::plus<index::times<Row, index::number<pitch_elems>>, Col>>;

  static_assert(rank == 1 || rank == 2, "TG116: a tile has rank 1 or 2");

  explicit tile(source_location where) {
    (void)sizeof(diagnosis::layout<rules::fits(rows * columns), diagnosis::types<Shape, Layout>>);
    (void)sizeof(diagnosis::shared_bytes<(size_bytes <= 48 * 1024), diagnosis::value_of<size_bytes>>);
    auto& t = detail::tracer::current(where);
    t.at(where);
    auto& variables = t.mod().variables;
    const auto id = static_cast<std::uint32_t>(variables.size());
    variables.push_back({.space = ptx::token::shared, .type = ptx::token::b8, .align = 16, .count = size_bytes,
                         .name = "tile" + std::to_string(id)});
    variable_ = ptx::operand::named(ptx::operand_kind::variable, id);
    base_ = t.compute(ptx::token::b32, ptx::opcode::mov, {ptx::token::u32}, {variable_});
  }

  template <index_like I>
  auto operator()(const I& i, source_location where = source_location::current()) const {
    return one<detail::checked>(where, "", i);
  }
  template <index_like I, int Code>
  auto operator()(const I& i, allow<Code> excuse, source_location where = source_location::current()) const {
    return one<allow<Code>>(where, excuse.reason, i);
  }
  template <index_like R, index_like C>
  auto operator()(const R& row, const C& column, source_location where = source_location::current()) const {
    return one<detail::checked>(where, "", row, column);
  }
  template <index_like R, index_like C, int Code>
  auto operator()(const R& row, const C& column, allow<Code> excuse, source_location where = source_location::current()) const {
    return one<allow<Code>>(where, excuse.reason, row, column);
  }

  /// N consecutive elements in one instruction. Errors: TG111, TG203.
  template <int N, index_like I>
  auto vec(const I& i, source_location where = source_location::current()) const {
    return several<N, detail::checked>(where, "", i);
  }
  template <int N, index_like R, index_like C>
  auto vec(const R& row, const C& column, source_location where = source_location::current()) const {
    return several<N, detail::checked>(where, "", row, column);
  }

 private:
  template <class Excuse, class... I>
  auto one(source_location where, const char* reason, const I&... indices) const {
    return element<T, mode::read_write>(find<1, Excuse>(where, reason, indices...));
  }
  template <int N, class Excuse, class... I>
  auto several(source_location where, const char* reason, const I&... indices) const {
    constexpr bool fits = (N == 2 || N == 4) && N * sizeof(T) <= 16;
    (void)sizeof(diagnosis::vector_width<fits, diagnosis::types<T, constant<N>>>);
    return vector_element<T, N, mode::read_write>(find<fits ? N : 1, Excuse>(where, reason, indices...));
  }

  template <int N, class Excuse, class I>
  detail::place find(source_location where, const char* reason, const I& i) const {
    (void)sizeof(diagnosis::rank<rank == 1, diagnosis::types<tile, constant<1>>>);
    return finish<N, Excuse, index::number<0>, I>(where, reason, detail::to_linear(i));
  }
  template <int N, class Excuse, class R, class C>
  detail::place find(source_location where, const char* reason, const R& row, const C& column) const {
    (void)sizeof(diagnosis::rank<rank == 2, diagnosis::types<tile, constant<2>>>);
    (void)sizeof(diagnosis::integer_index<detail::is_32_bit_index<R> && detail::is_32_bit_index<C>, diagnosis::types<R, C>>);
    auto& t = detail::tracer::current(where);
    t.at(where);
    return finish<N, Excuse, R, C>(
        where, reason, detail::to_linear<index::number<pitch_elems>>(ptx::operand::integer(pitch_elems), row, column));
  }

  template <class X> struct form_of { using type = index::data; };
  template <class X> requires device_value<X> struct form_of<X> { using type = typename X::form; };
  template <long long N> struct form_of<constant<N>> { using type = index::number<N>; };

  template <int N, class Excuse, class Row, class Col, class Form, bool Gathered>
  detail::place finish(source_location where, const char* reason, detail::linear_index<Form, Gathered> linear) const {
    auto& t = detail::tracer::current(where);
    t.at(where);
    const detail::linear_index<typename rules::template physical<Form>, Gathered> swizzled{rules::apply(t, linear.operand), linear.type};
    access entry = detail::judge_shared<tile, Excuse, N * element_bytes, typename form_of<Row>::type, typename form_of<Col>::type>(swizzled, where);
    entry.reason = reason;
    return {address(t, swizzled.operand), ptx::token::shared, ptx::token::none, entry};
  }

  ptx::operand address(detail::tracer& t, ptx::operand index) const {
    if (index.is(ptx::operand_kind::integer)) return ptx::operand::address(variable_, index.value * element_bytes);
    const ptx::operand offset = t.compute(ptx::token::b32, ptx::opcode::mul, {ptx::token::lo, ptx::token::u32},
                                          {index, ptx::operand::integer(element_bytes)});
    return ptx::operand::address(t.compute(ptx::token::b32, ptx::opcode::add, {ptx::token::u32}, {base_, offset}));
  }

  ptx::operand variable_;
  ptx::operand base_;
};

/// `auto tile = tg::shared<float>(tg::shape<32, 32>, tg::swizzle<5>);` The layout is row-major, with `tg::pitch<P>` rows
/// P elements apart, or with `tg::swizzle<B, M, S>` permuted.
template <scalar_type T, int... Extents, class Layout = void*>
auto shared(shape_t<Extents...>, Layout = {}, source_location where = source_location::current()) {
  return tile<T, shape_t<Extents...>, Layout>(where);
}

}  // namespace tg

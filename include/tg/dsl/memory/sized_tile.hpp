// Tiles in shared memory whose size an argument of the launch decides.
#pragma once

#include <tg/dsl/memory/shared.hpp>

namespace tg {

/// Contract of a row length that is only known when the kernel is launched: `size % Divisor == Remainder`. Rows of an odd
/// number of words, as `tg::remainder<32, 1>` says, make columns free of bank conflicts.
template <long long Divisor, long long Remainder> struct remainder {
  static_assert(Divisor > 0 && Remainder >= 0 && Remainder < Divisor, "TG126: a remainder is below its divisor");
  static constexpr long long divisor = Divisor;
  static constexpr long long value = Remainder;
};

namespace detail {

template <class Contract> struct pitch_contract;
template <long long N> struct pitch_contract<multiple_of<N>> {
  static constexpr long long divisor = promised<multiple_of<N>>, remainder = 0;
  using form = index::single<index::uniform<divisor>>;
};
template <long long D, long long R> struct pitch_contract<remainder<D, R>> {
  static constexpr long long divisor = D, remainder = R;
  using form = index::plus<index::number<R>, index::single<index::uniform<D>>>;
};

}  // namespace detail

/// A tile of T in shared memory, one per block, of a size that the launch decides: `tile(i)`, `tile(row, column)`,
/// `tile.vec<4>(row, column)`. `Pitch` is what the launch promises of the row length of rank 2. Pass it by reference.
/// Errors: TG116, TG134, TG201, TG203, TG204. PTX: ld.shared, st.shared with 32-bit addresses.
template <class T, int Rank, class Pitch> class sized_tile {
  using contract = detail::pitch_contract<Pitch>;
  static_assert(sizeof(typename detail::element_check<T>::type) != 0);
  using element_t = detail::element_of_type<T, mode::read_write, detail::tile_align_bytes>;
  template <int N> using vector_t = detail::vector_of_type<T, N, mode::read_write>;
  template <class Field> using field_t = detail::element_of_type<Field, mode::read_write, alignof(Field)>;

 public:
  using element_type = T;
  static constexpr int rank = Rank;
  static constexpr int element_bytes = sizeof(T);
  static constexpr bool has_layout = false;  // no pitch or swizzle can be advised
  static constexpr bool permutes = false;
  using pitches = std::conditional_t<rank == 1, detail::pitch_list<>, detail::pitch_list<typename contract::form>>;
  template <class... I> using form_of = detail::linear_form<sized_tile, I...>;

  sized_tile(ptx::operand rows, ptx::operand columns, source_location where) : pitch_(columns) {
    auto& t = detail::tracer::current(where);
    t.at(where);
    if constexpr (rank == 1) base_ = t.new_sized_tile(sizeof(T), {{columns}});
    else base_ = t.new_sized_tile(sizeof(T), {{rows}, {columns, contract::divisor, contract::remainder}});
  }
  sized_tile(sized_tile&&) = default;
  // Errors: TG134, TG127.
  sized_tile(const sized_tile& other) : pitch_(other.pitch_), base_(other.base_) {
    (void)sizeof(diagnosis::uncopied<sizeof(T) == 0, sized_tile>);
  }
  /// Another name of the memory of `other`, for words that keep one.
  sized_tile(const sized_tile& other, detail::same_memory) : pitch_(other.pitch_), base_(other.base_) {}
  void operator=(const sized_tile&) { (void)sizeof(diagnosis::fixed_handle<sizeof(T) == 0, sized_tile>); }

  template <index_like I, detail::excuse_like Excuse = detail::checked>
  element_t operator()(const I& i, Excuse excuse = {}, source_location where = source_location::current()) const {
    return make<element_t, 1>(excuse, where, i);
  }
  template <index_like R, index_like C, detail::excuse_like Excuse = detail::checked>
  element_t operator()(const R& row, const C& column, Excuse excuse = {},
                       source_location where = source_location::current()) const {
    return make<element_t, 1>(excuse, where, row, column);
  }

  /// One field of a struct, which is all that is read or written. Errors: TG196, those of an element.
  template <index_like I, class Field, class Struct, detail::excuse_like Excuse = detail::checked>
  field_t<Field> operator()(const I& i, Field Struct::* field, Excuse excuse = {},
                            source_location where = source_location::current()) const {
    return make_field(field, excuse, where, i);
  }
  template <index_like R, index_like C, class Field, class Struct, detail::excuse_like Excuse = detail::checked>
  field_t<Field> operator()(const R& row, const C& column, Field Struct::* field, Excuse excuse = {},
                            source_location where = source_location::current()) const {
    return make_field(field, excuse, where, row, column);
  }

  /// N consecutive elements in one instruction. Errors: TG111, TG203.
  template <int N, index_like I, detail::excuse_like Excuse = detail::checked>
  vector_t<N> vec(const I& i, Excuse excuse = {}, source_location where = source_location::current()) const {
    return make<vector_t<N>, N>(excuse, where, i);
  }
  template <int N, index_like R, index_like C, detail::excuse_like Excuse = detail::checked>
  vector_t<N> vec(const R& row, const C& column, Excuse excuse = {}, source_location where = source_location::current()) const {
    return make<vector_t<N>, N>(excuse, where, row, column);
  }

  /// The address of element `index`.
  ptx::operand address(ptx::operand index) const { return detail::address_from(base_, element_bytes, index); }

 private:
  template <class Element, int N, class Excuse, class... I>
  Element make(const Excuse& excuse, source_location where, const I&... indices) const {
    using found = typename detail::shared_judgement<sized_tile, N, Excuse, I...>::type;
    if constexpr (!detail::is_element<T> || !diagnosis::is_ok<sizeof(found), found>) return Element({});
    else if constexpr (scalar_type<T>) return Element(find<N, Excuse>(where, excuse.reason, indices...));
    else return Element(detail::find_struct<sized_tile, Excuse>(*this, locate(where, indices...), where, excuse.reason));
  }
  template <class Field, class Struct, class Excuse, class... I>
  field_t<Field> make_field(Field Struct::* field, const Excuse& excuse, source_location where, const I&... indices) const {
    using found = typename detail::field_judgement<sized_tile, Struct, Field, Excuse, I...>::type;
    if constexpr (!detail::is_element<T> || !diagnosis::is_ok<sizeof(found), found>) return field_t<Field>({});
    else
      return detail::find_field<Field, Excuse>(*this, locate(where, indices...), where, excuse.reason,
                                               detail::offset_of(field));
  }

  template <class... I> auto locate(source_location where, const I&... indices) const {
    detail::tracer::begin(where);
    const detail::index_operand at[] = {detail::to_index(indices)...};
    return detail::linear_index<form_of<I...>, detail::are_gathered<I...>>{
        detail::to_linear(at, rank, &pitch_, detail::gathered_multiple<sized_tile, I...>)};
  }
  template <int N, class Excuse, class... I>
  detail::place find(source_location where, const char* reason, const I&... indices) const {
    const auto linear = locate(where, indices...);
    using detail::shared_facts;
    access entry = detail::judge_shared(
        shared_facts<form_of<I...>, detail::are_gathered<I...>, Excuse, element_bytes, N * element_bytes>, linear, where);
    entry.reason = reason;
    return {address(linear.operand), ptx::token::shared, ptx::token::none, entry};
  }

  ptx::operand pitch_;
  ptx::operand base_;
};

/// `auto tile = tg::shared<float>(n);` A tile of `n` elements, where n is made of scalar parameters, C++ numbers and
/// constants with + - * / %, shifts, min and max. The launch asks for the memory.
/// Errors: TG164 for a size that the launch does not know; at launch TG567 for one that does not fit.
template <class T, operand_like N>
sized_tile<T, 1, multiple_of<1>> shared(const N& elements, source_location where = source_location::current()) {
  detail::tracer::current(where).at(where);
  const ptx::operand n = detail::to_value<unsigned>(elements).operand;
  return {n, n, where};
}

/// `auto tile = tg::shared<float, tg::multiple_of<4>>(rows, columns);` The same for rows and columns. The contract of the
/// row length, `tg::multiple_of` or `tg::remainder`, is what the verdicts rely on; the launch checks it.
/// Errors: also TG526 at launch.
template <class T, class Pitch = multiple_of<1>, operand_like R, operand_like C>
sized_tile<T, 2, Pitch> shared(const R& rows, const C& columns, source_location where = source_location::current()) {
  detail::tracer::current(where).at(where);
  const ptx::operand r = detail::to_value<unsigned>(rows).operand;
  return {r, detail::to_value<unsigned>(columns).operand, where};
}

}  // namespace tg

// Columns that stand for several: numbers packed in words, and numbers that belong to groups of columns.
#pragma once

#include <tg/dsl/value/argument.hpp>
#include <tg/tile/team.hpp>
#include <tg/tile/tree.hpp>

namespace tg {

namespace detail {

namespace held {

/// Each column of `Of` as `Count` columns. `F::begin` is what the first column of a thread decides, `F::apply(x, begin, place)`
/// the element of a register that lies `place` columns behind it.
template <int Count, class F, class Of> struct fine_node : tile_node {
  static constexpr int rows = Of::rows;
  static constexpr int columns = Of::columns * Count;
  static constexpr bool is_spread = false;
  template <class D> static constexpr bool accepts = Of::template accepts<coarse_spread<D, Count>>;

  Of of;

  explicit fine_node(Of of) : of(static_cast<Of&&>(of)) {}
  const fine_node& node() const { return *this; }
  void require_unchanged() const { of.require_unchanged(); }
  bool reads(const change_count& tile) const { return of.reads(tile); }
  template <class D, class Team> auto bind(const Team& team) const {
    const auto own = F::template begin<Count, D>(team);
    return [own, bound = of.template bind<coarse_spread<D, Count>>(team)](int r) {
      return F::template apply<Count>(bound(D::value.in_coarse(Count, r)), own, D::value.at(r).column % Count);
    };
  }
};

}  // namespace held

struct repeat_element {
  struct anywhere {};
  template <int, class D, class Team> static anywhere begin(const Team&) { return {}; }
  template <int, class X> static auto apply(const X& x, const anywhere&, int) { return x; }
};
/// Bits of a word: those of the thread's first column, moved on by what the register adds.
struct unpack_element {
  template <int Count, class D, class Team> static value<unsigned> begin(const Team& team) {
    return {argument<unsigned>(own_column<D>(team) % constant<Count>{} * constant<32 / Count>{})};
  }
  template <int Count, class X> static value<unsigned> apply(const X& x, const value<unsigned>& begin, int place) {
    static_assert(sizeof(device_type_of<X>) == 4, "TG606: tg::unpacked takes words of 32 bits");
    constexpr unsigned bits = 32 / Count;
    return {((x >> (begin + bits * static_cast<unsigned>(place))) & constant<(1u << bits) - 1>{}).operand};
  }
};

}  // namespace detail

/// Each column `Count` times beside each other: the scales of groups of columns.
template <int Count, tile_like X> auto repeat_columns(const X& x) {
  static_assert(detail::is_power_of_two(Count), "TG606: tg::repeat_columns<Count> takes a power of two");
  return detail::fine_node<Count, detail::repeat_element, detail::node_of<X>>(detail::to_node(x));
}

/// Numbers of `Bits` bits without sign, of which each element of `words`, an unsigned of 32 bits, holds 32 / Bits: the lowest
/// bits are the first column.
template <int Bits, tile_like X> auto unpacked(const X& words) {
  constexpr bool divides_words = Bits == 1 || Bits == 2 || Bits == 4 || Bits == 8 || Bits == 16;
  static_assert(divides_words, "TG606: tg::unpacked<Bits> takes 1, 2, 4, 8 or 16 bits");
  // A number fits every tile, so that one mistake is one error.
  if constexpr (!divides_words) return detail::scalar_node(value<unsigned>{ptx::operand::integer(0)});
  else return detail::fine_node<32 / Bits, detail::unpack_element, detail::node_of<X>>(detail::to_node(words));
}

}  // namespace tg

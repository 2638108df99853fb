// Operators of trees of tiles or arrays, element by element. One row, one column or one number stands for all.
//
// Each operator is written out, because compilers print two more notes for what a macro made.
#pragma once

#include <tg/dsl/value/cast.hpp>
#include <tg/tree/tree.hpp>

namespace tg {

namespace detail {

/// The amount of a shift, a u32 in PTX whatever is shifted: beside elements of 64 bits a number has 64 bits too.
template <class B> auto shift_amount(const B& b) {
  if constexpr (device_value<B>) {
    if constexpr (is_integer<device_type_of<B>> && sizeof(device_type_of<B>) == 8) return tg::cast<unsigned>(b);
    else return b;
  } else {
    return b;
  }
}

namespace held {

#define TG_ELEMENT_OPERATOR(op, name)                                                            \
  struct name : tg::detail::element_word {                                                       \
    template <class A, class B> auto operator()(const A& a, const B& b) const { return a op b; } \
  };
TG_ELEMENT_OPERATOR(+, sum_of)
TG_ELEMENT_OPERATOR(-, difference_of)
TG_ELEMENT_OPERATOR(*, product_of)
TG_ELEMENT_OPERATOR(/, quotient_of)
TG_ELEMENT_OPERATOR(%, remainder_of)
TG_ELEMENT_OPERATOR(&, bit_and_of)
TG_ELEMENT_OPERATOR(|, bit_or_of)
TG_ELEMENT_OPERATOR(^, bit_xor_of)
TG_ELEMENT_OPERATOR(<, is_less)
TG_ELEMENT_OPERATOR(<=, is_at_most)
TG_ELEMENT_OPERATOR(>, is_greater)
TG_ELEMENT_OPERATOR(>=, is_at_least)
TG_ELEMENT_OPERATOR(==, is_equal)
TG_ELEMENT_OPERATOR(!=, is_unequal)
TG_ELEMENT_OPERATOR(&&, are_both)
TG_ELEMENT_OPERATOR(||, is_either)
#undef TG_ELEMENT_OPERATOR
struct shifted_left : tg::detail::element_word {
  template <class A, class B> auto operator()(const A& a, const B& b) const { return a << shift_amount(b); }
};
struct shifted_right : tg::detail::element_word {
  template <class A, class B> auto operator()(const A& a, const B& b) const { return a >> shift_amount(b); }
};
struct negative_of : tg::detail::element_word {
  template <class A> auto operator()(const A& a) const { return -a; }
};
struct opposite_of : tg::detail::element_word {
  template <class A> auto operator()(const A& a) const { return !a; }
};

}  // namespace held

}  // namespace detail

template <class A, class B> requires detail::tree_operands<A, B>
auto operator+(A&& a, B&& b) {
  return detail::tree_kind<A, B>::map(detail::sum_of{}, static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B> requires detail::tree_operands<A, B>
auto operator-(A&& a, B&& b) {
  return detail::tree_kind<A, B>::map(detail::difference_of{}, static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B> requires detail::tree_operands<A, B>
auto operator*(A&& a, B&& b) {
  return detail::tree_kind<A, B>::map(detail::product_of{}, static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B> requires detail::tree_operands<A, B>
auto operator/(A&& a, B&& b) {
  return detail::tree_kind<A, B>::map(detail::quotient_of{}, static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B> requires detail::tree_operands<A, B>
auto operator%(A&& a, B&& b) {
  return detail::tree_kind<A, B>::map(detail::remainder_of{}, static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B> requires detail::tree_operands<A, B>
auto operator&(A&& a, B&& b) {
  return detail::tree_kind<A, B>::map(detail::bit_and_of{}, static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B> requires detail::tree_operands<A, B>
auto operator|(A&& a, B&& b) {
  return detail::tree_kind<A, B>::map(detail::bit_or_of{}, static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B> requires detail::tree_operands<A, B>
auto operator^(A&& a, B&& b) {
  return detail::tree_kind<A, B>::map(detail::bit_xor_of{}, static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B> requires detail::tree_operands<A, B>
auto operator<<(A&& a, B&& b) {
  return detail::tree_kind<A, B>::map(detail::shifted_left{}, static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B> requires detail::tree_operands<A, B>
auto operator>>(A&& a, B&& b) {
  return detail::tree_kind<A, B>::map(detail::shifted_right{}, static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B> requires detail::tree_operands<A, B>
auto operator<(A&& a, B&& b) {
  return detail::tree_kind<A, B>::map(detail::is_less{}, static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B> requires detail::tree_operands<A, B>
auto operator<=(A&& a, B&& b) {
  return detail::tree_kind<A, B>::map(detail::is_at_most{}, static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B> requires detail::tree_operands<A, B>
auto operator>(A&& a, B&& b) {
  return detail::tree_kind<A, B>::map(detail::is_greater{}, static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B> requires detail::tree_operands<A, B>
auto operator>=(A&& a, B&& b) {
  return detail::tree_kind<A, B>::map(detail::is_at_least{}, static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B> requires detail::tree_operands<A, B>
auto operator==(A&& a, B&& b) {
  return detail::tree_kind<A, B>::map(detail::is_equal{}, static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B> requires detail::tree_operands<A, B>
auto operator!=(A&& a, B&& b) {
  return detail::tree_kind<A, B>::map(detail::is_unequal{}, static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B> requires detail::tree_operands<A, B>
auto operator&&(A&& a, B&& b) {
  return detail::tree_kind<A, B>::map(detail::are_both{}, static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B> requires detail::tree_operands<A, B>
auto operator||(A&& a, B&& b) {
  return detail::tree_kind<A, B>::map(detail::is_either{}, static_cast<A&&>(a), static_cast<B&&>(b));
}

template <tree_like X> auto operator-(X&& x) {
  return tg::detail::tree_kind<X>::map(detail::negative_of{}, static_cast<X&&>(x));
}
template <tree_like X> auto operator!(X&& x) {
  return tg::detail::tree_kind<X>::map(detail::opposite_of{}, static_cast<X&&>(x));
}

}  // namespace tg

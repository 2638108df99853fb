// Hana's constants beside device values: `thread.x * 33_c` with the literal of Hana or of tg.
#pragma once

#include <boost/hana/fwd/integral_constant.hpp>

#include <tg/base/constant.hpp>
#include <tg/dsl/value/operators.hpp>

// Hana takes an operator with one of its constants on either side for its own, whatever stands on the other, and looks for
// it in its own namespace. These are more specialised than its operators, and are looked for only where such a constant is.
namespace boost::hana {

#define TG_FOR_EACH_HANA_OPERATOR(define)                                                                                    \
  define(+) define(-) define(*) define(/) define(%) define(&) define(|) define(^) define(<<) define(>>) define(<) define(<=) \
      define(>) define(>=) define(==) define(!=)

#define TG_DEFINE_HANA_OPERATOR(op)                                                                \
  template <::tg::device_value A, class T, T N> auto operator op(A&& a, integral_constant<T, N>) { \
    return a op::tg::constant<static_cast<long long>(N)>{};                                        \
  }                                                                                                \
  template <class T, T N, ::tg::device_value B> auto operator op(integral_constant<T, N>, B&& b) { \
    return ::tg::constant<static_cast<long long>(N)> {}                                            \
    op b;                                                                                          \
  }

TG_FOR_EACH_HANA_OPERATOR(TG_DEFINE_HANA_OPERATOR)

#undef TG_DEFINE_HANA_OPERATOR
#undef TG_FOR_EACH_HANA_OPERATOR

}  // namespace boost::hana

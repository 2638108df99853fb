// Repetition with compile-time indices.
#pragma once

#include <tg/base/constant.hpp>
#include <tg/base/integer_sequence.hpp>

namespace tg {

/// Calls `body(0_c)`, `body(1_c)`, … `body(Count-1)`: the statements are written Count times, each with its own constant.
template <int Count, class Body> void unroll(Body&& body) {
  static_assert(Count >= 0, "TG125: tg::unroll needs a count that is not negative");
  [&]<int... N>(detail::integer_sequence<int, N...>) { (body(constant<N>{}), ...); }(detail::make_integer_sequence < int,
                                                                                     Count<0 ? 0 : Count>{});
}

}  // namespace tg

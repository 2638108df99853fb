// Vectors of arrays whose type is not known where they are named.
//
//   [&](auto slot) { return ring.fill(slot).template vec<4>(row, column); }     // what C++ asks for
//   [&](auto slot) { return tg::vec_at<4>(ring.fill(slot), row, column); }
#pragma once

#include <tg/dsl/value/gather.hpp>
#include <tg/dsl/verdict/allow.hpp>

namespace tg {

/// `array.vec<N>(i)` of a view, tile or stage. Errors: those of `vec`.
template <int N, class Array, index_like I, detail::excuse_like Excuse = detail::checked>
auto vec_at(const Array& array, const I& i, Excuse excuse = {}, source_location where = source_location::current()) {
  return array.template vec<N>(i, excuse, where);
}
/// `array.vec<N>(row, column)`.
template <int N, class Array, index_like R, index_like C, detail::excuse_like Excuse = detail::checked>
auto vec_at(const Array& array, const R& row, const C& column, Excuse excuse = {},
            source_location where = source_location::current()) {
  return array.template vec<N>(row, column, excuse, where);
}

}  // namespace tg

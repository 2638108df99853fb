// A vector store at the end of a row that is no multiple of the vector's width.
#pragma once

#include <tg/dsl/flow/if_.hpp>
#include <tg/dsl/flow/unroll.hpp>
#include <tg/dsl/memory/element.hpp>

namespace tg {

/// Stores the first `count` elements of a vector, in one instruction where `count` is as large as the vector, else one
/// by one: `tg::store_first(y.vec<4>(row, column), v, columns - column)`. A negative count is 0.
/// Requires: `count` is an int or unsigned; the place is aligned as the whole vector is, and judged as that.
/// Errors: TG103, TG105, TG109.
/// PTX: st.v2 or st.v4 and, on the other path, a predicated st for each element but the last.
template <scalar_type T, int N, mode Mode, class U, int M, device_value Count>
void store_first(const vector_element<T, N, Mode>& to, const vec<U, M>& v, const Count& count,
                 source_location where = source_location::current()) {
  using counter = device_type_of<Count>;
  using written = diagnosis::writable<detail::can_write(Mode), vector_element<T, N, Mode>>;
  using assigned = diagnosis::assignable<std::is_same_v<vec<U, M>, vec<T, N>>, diagnosis::types<vec<T, N>, vec<U, M>>>;
  using counted = diagnosis::integer_index<is_integer<counter> && sizeof(counter) == 4, counter>;
  if constexpr (diagnosis::is_ok<sizeof(written), written> && diagnosis::is_ok<sizeof(assigned), assigned> &&
                diagnosis::is_ok<sizeof(counted), counted>) {
    const auto own = count.get();
    const auto whole = [&] { detail::store<vec<T, N>::part_count>(to.where(), v.parts, detail::vector_memory<T, N>); };
    const auto one = [&](auto e) {
      detail::place place = to.where();
      place.address.value += e.value * static_cast<int>(sizeof(T));
      place.entry.access_bytes = sizeof(T);
      tg::if_(
          own > e,
          [&] {
            detail::store<1>(place, {detail::to_memory<T>(detail::tracer::current(where), v(e).operand)}, memory_type<T>);
          },
          where);
    };
    tg::if_(own >= constant<N>{}, whole, where).else_([&] { tg::unroll<N - 1>(one); }, where);
  }
}

}  // namespace tg

// Numbers in a template argument list, counted up by the compiler. <utility> has these too, but also pairs and their
// comparisons: with <compare>, a twelfth of what a compiler reads for <tg/dsl.hpp>.
#pragma once

#include <cstddef>

namespace tg::detail {

/// The numbers N of type T, as std::integer_sequence has them.
template <class T, T... N> struct integer_sequence {};
template <std::size_t... N> using index_sequence = integer_sequence<std::size_t, N...>;

/// 0 to Count - 1.
#if defined(__clang__)
template <class T, T Count> using make_integer_sequence = __make_integer_seq<integer_sequence, T, Count>;
#else
template <class T, T Count> using make_integer_sequence = integer_sequence<T, __integer_pack(Count)...>;
#endif
template <std::size_t Count> using make_index_sequence = make_integer_sequence<std::size_t, Count>;
template <class... T> using index_sequence_for = make_index_sequence<sizeof...(T)>;

}  // namespace tg::detail

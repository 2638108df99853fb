// Whether an access is written right: as many indices as dimensions, integers all, of a width that exists.
#pragma once

#include <tg/dsl/value/gather.hpp>

namespace tg::detail {

// What one argument of an access is as an index. C++ integers and constants count as unsigned.
template <class X> struct index_traits {
  using type = unsigned;
  using form = index::traced;
};
template <device_value X> struct index_traits<X> {
  using type = typename X::device_type;
  using form = typename X::form;
};
template <long long N> struct index_traits<constant<N>> {
  using type = unsigned;
  using form = index::number<N>;
};
// What is gathered is data, and taken to be the same in all lanes where the other indices are judged.
template <class T, long long Multiple> struct index_traits<data_index<T, Multiple>> {
  using type = T;
  using form = index::single<index::uniform<Multiple, std::is_signed_v<T>>>;
};
template <class X> using index_form = typename index_traits<X>::form;
template <class X> using index_type = typename index_traits<X>::type;

template <class... I> inline constexpr bool are_gathered = (is_data_index<I> || ...);
template <class... I> inline constexpr bool are_integers = ((is_integer<index_type<I>> && is_arithmetic<index_type<I>>) && ...);
// The indices of an access that depend on data, for the text of an error.
template <class Data, class Indices> struct data_indices;
template <class... D> struct data_indices<diagnosis::types<D...>, diagnosis::types<>> { using type = diagnosis::types<D...>; };
template <class... D, class First, class... Rest>
struct data_indices<diagnosis::types<D...>, diagnosis::types<First, Rest...>>
    : data_indices<std::conditional_t<std::is_same_v<index_form<First>, index::data>, diagnosis::types<D..., First>,
                                      diagnosis::types<D...>>,
                   diagnosis::types<Rest...>> {};

/// The forms of the strides of a view or tile, outermost first; the innermost one, which is 1, is left out.
template <class... Pitches> struct pitch_list {};

// The form of the sum of index * pitch.
template <class Pitches, class... I> struct linear { using type = index::data; };
template <class X> struct linear<pitch_list<>, X> { using type = index_form<X>; };
template <class Pitch, class... Pitches, class X, class... I> struct linear<pitch_list<Pitch, Pitches...>, X, I...> {
  using type = index::plus<index::times<index_form<X>, Pitch>, typename linear<pitch_list<Pitches...>, I...>::type>;
};
/// Place: a view or tile.
template <class Place, class... I> using linear_form = typename linear<typename Place::pitches, I...>::type;

/// The first thing that is wrong with the way an access is written, as a diagnosis.
template <class Owner, class T, int Rank, int N, class... I> constexpr auto check_written() {
  constexpr bool is_width = N == 1 || (scalar_type<T> && N >= 1 && (N & (N - 1)) == 0 && N * sizeof(T) <= 16);
  if constexpr (sizeof...(I) != Rank)
    return std::type_identity<diagnosis::rank<false, diagnosis::types<Owner, diagnosis::given_count<sizeof...(I)>>>>{};
  else if constexpr (!(is_readable<I>() && ...))
    return std::type_identity<diagnosis::readable<false, diagnosis::types<I...>>>{};
  else if constexpr (!are_integers<I...>)
    return std::type_identity<diagnosis::integer_index<false, diagnosis::types<index_type<I>...>>>{};
  else if constexpr (!is_width)
    return std::type_identity<diagnosis::vector_width<false, diagnosis::types<T, diagnosis::elements<N>>>>{};
  else return std::type_identity<diagnosis::none>{};
}

}  // namespace tg::detail

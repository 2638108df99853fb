// What one access costs, as far as the types of the index say it: for static_assert inside a kernel.
#pragma once

#include <type_traits>

#include <tg/base/integer_sequence.hpp>
#include <tg/dsl/memory/judge.hpp>

namespace tg {

namespace detail {

template <class Place>
concept is_tile_type = requires { Place::has_layout; };

template <class Cost> constexpr Cost unknown_cost() {
  Cost cost;
  cost.known = false;
  return cost;
}

template <class Check, class Form, class Cost> constexpr Cost worst_cost() {
  if constexpr (std::is_same_v<Form, index::traced>) return unknown_cost<Cost>();
  else return index::worst_of<Check, Form>;
}

/// What all instructions together cost that move a struct of a tile.
template <class Place, class Form> constexpr analysis::shared_cost cost_of_struct() {
  constexpr auto& pieces = struct_pieces<typename Place::element_type, analysis::widest_access_bytes>;
  return [&]<std::size_t... K>(detail::index_sequence<K...>) {
    analysis::shared_cost out{.good = true};
    const auto add = [&](const analysis::shared_cost& own) {
      out.wavefronts += own.wavefronts;
      out.ideal_wavefronts += own.ideal_wavefronts;
      out.ways = own.ways > out.ways ? own.ways : out.ways;
      out.good = out.good && own.good;
      out.exact = out.exact && own.exact;
      out.known = out.known && own.known;
    };
    (add(worst_cost<shared_piece_check<Form, Place::element_bytes, pieces[K]>, Form, analysis::shared_cost>()), ...);
    return out;
  }(detail::make_index_sequence<pieces.size()>{});
}

template <int N, class Place, class... I> constexpr auto cost_of_access() {
  if constexpr (is_tile_type<Place>) {
    using form = typename Place::template form_of<I...>;
    if constexpr (std::is_same_v<form, index::traced>) return unknown_cost<analysis::shared_cost>();
    else if constexpr (!scalar_type<typename Place::element_type>) return cost_of_struct<Place, form>();
    else return worst_cost<shared_check<form, Place::element_bytes, N * Place::element_bytes>, form, analysis::shared_cost>();
  } else {
    constexpr int bytes = sizeof(typename Place::element_type);
    using form = linear_form<Place, I...>;
    return worst_cost<global_check<form, bytes, N * bytes, Place::alignment_bytes>, form, analysis::global_cost>();
  }
}

}  // namespace detail

/// What the worst warp pays for an access to a view (`analysis::global_cost`) or a tile (`analysis::shared_cost`) at these
/// indices: `static_assert(tg::access_cost<decltype(tile), decltype(row), decltype(column)>.wavefronts == 1)`. The worst is
/// the one that an error names: bad before good, then what moves most beyond its ideal, then what moves most. Where warps
/// differ another may move more and be good; `tg::cost` adds up what each moves. Of a struct: in a view all its bytes as
/// one request, which is what the verdict is about; in a tile all instructions that move it.
/// Requires: as many indices as dimensions. Returns: a cost whose `known` is false where the types do not say it.
template <class Place, class... I>
inline constexpr auto access_cost = detail::cost_of_access<1, std::remove_cvref_t<Place>, std::remove_cvref_t<I>...>();

/// What an access of N consecutive elements costs, as `.vec<N>` makes it. Requires and returns: as access_cost.
template <int N, class Place, class... I>
inline constexpr auto vector_access_cost = detail::cost_of_access<N, std::remove_cvref_t<Place>, std::remove_cvref_t<I>...>();

}  // namespace tg

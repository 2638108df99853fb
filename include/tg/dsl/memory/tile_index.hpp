// The index of an element of a tile in shared memory, in 32 bits.
#pragma once

#include <tg/dsl/memory/view.hpp>

namespace tg::detail {

/// A divisor of what is gathered in an index of a tile, as if all else were 0; 0 where nothing is gathered.
template <class Tile, class... I>
inline constexpr std::int64_t gathered_multiple = [] {
  if constexpr (!are_gathered<I...>) return std::int64_t{0};
  else
    return analysis::granularity(
        index::evaluate<typename linear<typename Tile::pitches, std::conditional_t<is_data_index<I>, I, constant<0>>...>::type>(
            0));
}();

}  // namespace tg::detail

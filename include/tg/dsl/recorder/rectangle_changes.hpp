// The views whose rectangles have been assigned (tg/tile/memory_tile.hpp).
#pragma once

#include <tg/dsl/recorder/rectangle_change.hpp>

namespace tg::detail {

/// What happened to the view whose address is in this register. Valid until the next call.
rectangle_change& changes_at(std::uint32_t view);

}  // namespace tg::detail

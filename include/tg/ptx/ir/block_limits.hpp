// The largest grid that a kernel is made for.
#pragma once

#include <cstdint>

#include <tg/base/fixed_array.hpp>

namespace tg::ptx {

/// The most blocks along x, y and z.
using block_limits = fixed_array<std::uint32_t, 3>;

/// Every grid is in reach.
inline constexpr block_limits no_block_limits{UINT32_MAX, UINT32_MAX, UINT32_MAX};

}  // namespace tg::ptx

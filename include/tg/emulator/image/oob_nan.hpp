// The NaN that stands for "outside": tensor copies fill with it where they are asked to, and fma.oob takes it for zero.
#pragma once

#include <cstdint>

namespace tg::emulator {

/// The bits of out-of-bounds NaN in each 16-bit half of an element, so that an element of any width holds as many as fit into
/// it. Neither the canonical NaN nor any other NaN counts as one.
/// Source: no manual names the bits; public measurements of tensor copies on sm_90 and sm_120, and of fma.oob on
/// sm_120.
inline constexpr std::uint64_t oob_nan = 0x7ff7'7ff7'7ff7'7ff7;

}  // namespace tg::emulator

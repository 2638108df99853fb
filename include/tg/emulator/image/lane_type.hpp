// The types that lane code computes in, and those of PTX that become them.
#pragma once

#include <cstddef>

#include <tg/emulator/image/lane_op.hpp>
#include <tg/ptx/ir/token.hpp>

namespace tg::emulator {

/// The type of lanes of a PTX type.
constexpr lane_type to_lane_type(ptx::token t) {
  using enum ptx::token;
  switch (t) {
    case u8:
    case b8: return lane_type::u8;
    case s8: return lane_type::s8;
    case u16:
    case b16: return lane_type::u16;
    case s16: return lane_type::s16;
    case s32: return lane_type::s32;
    case u64:
    case b64:
    case b128: return lane_type::u64;
    case s64: return lane_type::s64;
    case f16: return lane_type::f16;
    case bf16: return lane_type::bf16;
    case f32: return lane_type::f32;
    case f64: return lane_type::f64;
    default: return lane_type::u32;
  }
}

/// Whether the lanes are floats.
constexpr bool is_float(lane_type t) { return t >= lane_type::f16; }
/// Whether the lanes are signed integers.
constexpr bool is_signed(lane_type t) {
  return t == lane_type::s8 || t == lane_type::s16 || t == lane_type::s32 || t == lane_type::s64;
}
/// Bits of a lane.
constexpr unsigned width_bits(lane_type t) {
  constexpr unsigned widths[] = {8, 8, 16, 16, 32, 32, 64, 64, 16, 16, 32, 64};
  return widths[static_cast<std::size_t>(t)];
}

}  // namespace tg::emulator

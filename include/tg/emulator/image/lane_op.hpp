// What one dispatch does to all its lanes: the operations into which PTX instructions are decoded.
#pragma once

#include <cstddef>
#include <cstdint>

#include <tg/emulator/image/video_recipe.hpp>

namespace tg::emulator {

/// How a lane's bits are read and written. 8- and 16-bit values live in 4-byte slots whose upper bits mean nothing.
enum class lane_type : std::uint8_t { u8, s8, u16, s16, u32, s32, u64, s64, f16, bf16, f32, f64 };

/// Bytes of a register slot of this type.
constexpr std::size_t slot_bytes(lane_type t) {
  return t == lane_type::u64 || t == lane_type::s64 || t == lane_type::f64 ? 8 : 4;
}

/// Operations on slots; a predicate is a u32 slot of 0 or ~0. Results come first, then sources in PTX order.
enum class lane_op : std::uint8_t {
  copy,  // of one source, from here on
  not_,
  neg,
  abs,
  cnot,
  popc,
  clz,
  brev,
  bfind,
  bfind_shift,
  copy_high,
  add,  // of two
  sub,
  mul,
  mul_hi,
  mul_wide,
  div,
  rem,
  min,
  max,
  and_,
  or_,
  xor_,
  and_not,
  shl,
  shr,
  add_sat,
  sub_sat,
  pack,
  bmsk,
  copysign,
  min_nan,
  max_nan,
  eq,
  ne,
  lt,
  le,
  num,
  nan,
  equ,
  neu,
  ltu,
  leu,
  mad,  // of three
  fma,
  select,
  bfe,
  funnel_left,
  funnel_right,
  prmt,
  sad,
  dp4a_uu,
  dp4a_us,
  dp4a_su,
  dp4a_ss,
  dp2a_uu,
  dp2a_us,
  dp2a_su,
  dp2a_ss,
  prmt_f4e,
  prmt_b4e,
  prmt_rc8,
  prmt_ecl,
  prmt_ecr,
  prmt_rc16,
  fns,
  lop3,  // of four
  bfi,
  video,
  add_carry,
  sub_borrow,  // sum, carry out | a, b, carry in
  sqrt,        // of floats, one to three
  rcp,
  rsqrt,
  sin,
  cos,
  ex2,
  lg2,
  tanh,
  rcp_high,
  rsqrt_high,
  div_full,
  div_approx,
  saturate,
  flush,
  round_even,
  round_down,
  round_up,
  round_zero,
  finite,
  infinite,
  number,
  notanumber,
  normal,
  subnormal,
  fma_odd,  // f64, rounded to odd
  sticky,   // a 64-bit integer cut to 53 bits, rounded to odd
  narrow_tf32,
  narrow_tf32_away,
  narrow_e4m3,
  narrow_e5m2,
  widen_e4m3,
  widen_e5m2,
};
/// The last of them, for tables.
inline constexpr lane_op last_lane_op = lane_op::widen_e5m2;

/// `slots` points at lane 0 of each operand; every one of `warps` × 32 lanes is computed and written.
using lane_handler = void (*)(std::byte* const* slots, std::size_t warps);

/// What a warp's 32 addresses have in common.
struct address_summary {
  std::uint64_t lowest = 0;
  std::uint64_t highest = 0;
  std::uint64_t any_bits = 0;  // or of all
  bool is_contiguous = false;  // lane i at lane 0 + i * step
};

/// Memory in rows of lanes: `step` bytes from lane to lane, `row_step` from row to row, `plane_step` from one set of rows
/// to the next.
struct row_steps {
  std::int64_t step = 0;
  std::int64_t row_step = 0;
  std::size_t lanes = 0;  // per row
  std::size_t rows = 1;
  std::size_t planes = 1;
  std::int64_t plane_step = 0;
  std::size_t plane_lanes = 0;  // from plane to plane in the slots, where rows follow each other
};

/// The lane code of one vector unit.
struct lane_code {
  const char* name = "";
  lane_handler (*find)(lane_op op, lane_type type) = nullptr;            // null: no such operation
  lane_handler (*find_convert)(lane_type to, lane_type from) = nullptr;  // null: no such conversion
  std::uint32_t (*bits)(const std::uint32_t* predicate) = nullptr;       // of one warp
  void (*all_bits)(std::uint32_t* to, const std::uint32_t* predicate, std::size_t warps) = nullptr;
  void (*blend)(std::byte* to, const std::byte* from, const std::uint32_t* mask, std::size_t warps,
                std::size_t bytes) = nullptr;
  void (*spread)(std::uint32_t* mask, std::uint32_t bits) = nullptr;  // one bit → 0 or ~0 per lane
  void (*addresses)(std::uint64_t* to, const std::byte* from, std::size_t slot_bytes, std::int64_t offset) = nullptr;
  address_summary (*summarize)(const std::uint64_t* addresses, std::uint64_t step) = nullptr;
  /// Slot i = what lies at base + addresses[i], extended to the slot; and the low bytes of slot i to there.
  void (*gather)(std::byte* to, std::size_t slot_bytes, std::uint64_t base, const std::uint64_t* addresses,
                 lane_type type) = nullptr;
  void (*scatter)(std::uint64_t base, const std::uint64_t* addresses, const std::byte* from, std::size_t slot_bytes,
                  std::size_t bytes) = nullptr;
  /// Every lane = the first of `from`; lane i = what a sample says at its coordinates.
  void (*fill_same)(std::byte* to, const std::byte* from, std::size_t slot_bytes, std::size_t warps) = nullptr;
  void (*fill_even)(std::byte* to, const std::byte* from, std::size_t slot_bytes, const std::uint32_t* const* at,
                    std::size_t warps) = nullptr;
  /// Slots from rows in memory, extended; and the low bytes of slots to rows.
  void (*load_rows)(std::byte* to, std::size_t slot_bytes, const std::byte* from, const row_steps& steps,
                    lane_type type) = nullptr;
  void (*store_rows)(std::byte* to, const std::byte* from, std::size_t slot_bytes, const row_steps& steps,
                     std::size_t bytes) = nullptr;
  /// sums += a × b of m × k and k × n elements, row-major; m and n are multiples of 8.
  void (*multiply_f32)(float* sums, const float* a, const float* b, std::size_t m, std::size_t n, std::size_t k) = nullptr;
  void (*multiply_f64)(double* sums, const double* a, const double* b, std::size_t m, std::size_t n, std::size_t k) = nullptr;
};

}  // namespace tg::emulator

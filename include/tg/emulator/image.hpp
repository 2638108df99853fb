// A module as the machine runs it: decoded operations, the values their constant slots hold, where variables lie.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <tg/emulator/lane_op.hpp>
#include <tg/ptx/instruction.hpp>
#include <tg/ptx/special.hpp>
#include <tg/ptx/token.hpp>

namespace tg::emulator {

namespace detail {

/// What falling off the end of a function does.
inline const ptx::instruction& end_of_function() {
  static const ptx::instruction made{ptx::opcode::ret, {}, {}};
  return made;
}

}  // namespace detail

/// Generic addresses of the spaces that are not global memory.
inline constexpr std::uint64_t shared_window = 0x0100'0000;
inline constexpr std::uint64_t local_window = 0x0200'0000;
inline constexpr std::uint64_t param_window = 0x0300'0000;
inline constexpr std::uint64_t window_bytes = 0x0100'0000;

/// What an operation needs of the machine.
enum class action : std::uint8_t {
  lanes,  // only its slots
  nothing,
  branch,
  jump_to_slot,
  call,
  exit,
  trap,
  load,
  store,
  atomic,
  barrier,
  sync_warp,
  shuffle,
  vote,
  match,
  reduce_warp,
  active_mask,
  elect,
  clock,
  yield,
};

inline constexpr std::uint32_t no_slot = 0xffffffff;

/// A place that holds one value per thread; `index` counts 4-byte units per thread.
struct slot_ref {
  std::uint32_t index = no_slot;
  std::uint8_t bytes = 4;
  friend bool operator==(const slot_ref&, const slot_ref&) = default;
};

/// One step of the machine.
struct operation {
  static constexpr std::size_t max_slots = 9;

  lane_handler run = nullptr;  // of action::lanes
  action act = action::lanes;
  bool is_first = false;  // of its PTX instruction: what counters count
  bool guard_negated = false;
  std::uint8_t result_count = 0;
  std::uint8_t slot_count = 0;
  std::array<std::uint8_t, max_slots> slot_bytes{};
  std::array<std::uint32_t, max_slots> slots{};
  std::uint32_t guard = no_slot;
  std::uint32_t mode = 0;         // rounding and flushing, 0: nearest even, subnormals kept
  std::uint32_t instruction = 0;  // in image::instructions
  std::uint32_t target = 0;       // of branches and calls: an operation
  std::uint32_t detail = 0;       // in image::accesses, image::collectives or image::barriers
};

/// How lanes combine: atomics, reductions over a warp or a block.
enum class combine : std::uint8_t {
  add,
  min,
  max,
  and_,
  or_,
  xor_,
  exchange,
  compare_exchange,
  increment,
  decrement,
  popc
};

/// A load, store or atomic; the address is the slot behind the last element.
struct memory_access {
  ptx::token space = ptx::token::generic;
  lane_type type = lane_type::u32;
  ptx::token written_type = ptx::token::b32;
  std::uint8_t element_bytes = 4;
  std::uint8_t elements = 1;
  bool is_write = false;
  bool is_atomic = false;
  combine how = combine::add;
  bool is_constant_space = false;
  std::int64_t offset = 0;
  std::uint32_t bytes() const { return std::uint32_t{element_bytes} * elements; }
};

/// Exchanges between the lanes of one warp.
struct warp_exchange {
  ptx::token mode = ptx::token::none;  // of shfl, vote or match
  combine how = combine::add;
  lane_type type = lane_type::u32;
  bool is_synchronizing = true;  // has a member mask
  bool negates = false;          // vote on !p
};

/// bar and barrier.
struct barrier_use {
  bool waits = true;  // not arrive
  bool is_aligned = true;
  bool has_count = false;
  bool has_predicate = false;
  bool negates = false;
  combine how = combine::popc;
};

/// What a slot holds before a block starts.
struct frame_value {
  enum class source : std::uint8_t { number, special, parameter, dynamic_shared, entry };
  slot_ref to;
  source from = source::number;
  lane_type type = lane_type::u64;  // of a parameter
  std::int64_t value = 0;           // the number, ptx::special, byte offset, or function
  friend bool operator==(const frame_value&, const frame_value&) = default;
};

/// Which PTX instruction operations come from.
struct instruction_info {
  std::uint32_t function = 0;
  std::uint32_t index = 0;
};

/// A variable in shared or local memory, for reports.
struct placed_variable {
  std::string name;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

struct function_image {
  std::uint32_t entry = 0;  // operation
  bool is_kernel = false;
  std::vector<frame_value> values;
  std::uint32_t slot_end = 0;      // first free 4-byte unit per thread
  std::uint64_t local_bytes = 0;   // end of its local variables
  std::uint64_t shared_bytes = 0;  // end of the shared variables that it or its callees name
  std::vector<placed_variable> shared;
};

namespace detail {

struct image {
  std::vector<operation> code;
  std::vector<memory_access> accesses;
  std::vector<warp_exchange> exchanges;
  std::vector<barrier_use> barriers;
  std::vector<instruction_info> instructions;
  std::vector<function_image> functions;  // as in the module
  std::uint32_t slot_count = 0;           // 4-byte units per thread
  std::uint64_t local_bytes = 0;          // per thread
};

}  // namespace detail
}  // namespace tg::emulator

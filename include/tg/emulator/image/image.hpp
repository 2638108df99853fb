// A module as the machine runs it: decoded operations, the values their constant slots hold, where variables lie.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include <tg/base/dynamic_array.hpp>
#include <tg/emulator/image/async_use.hpp>
#include <tg/emulator/image/call_site.hpp>
#include <tg/emulator/image/lane_op.hpp>
#include <tg/emulator/image/matrix_step.hpp>
#include <tg/emulator/image/pattern_rule.hpp>
#include <tg/ptx/ir/instruction.hpp>
#include <tg/ptx/ir/special.hpp>
#include <tg/ptx/ir/token.hpp>

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
/// Generic addresses of local memory begin here.
inline constexpr std::uint64_t local_window = 0x0200'0000;
/// Generic addresses of parameters begin here.
inline constexpr std::uint64_t param_window = 0x0300'0000;
/// Bytes of each window.
inline constexpr std::uint64_t window_bytes = 0x0100'0000;

/// Function number `id` of the module has the address `code_window + id * code_step`.
inline constexpr std::uint64_t code_window = 0x0f00'0000;
/// Bytes between the addresses of two functions.
inline constexpr std::uint64_t code_step = 16;

/// What an operation needs of the machine.
enum class action : std::uint8_t {
  lanes,  // only its slots
  nothing,
  branch,
  jump_to_slot,
  begin_call,
  finish_call,
  system_call,
  pick_target,
  alloca,
  exit,
  trap,
  load,
  store,
  atomic,
  fence,
  barrier,
  sync_warp,
  shuffle,
  vote,
  match,
  reduce_warp,
  active_mask,
  elect,
  clock,
  asynchronous,
  yield,
  matrix,
};

/// One step of the machine.
struct operation {
  static constexpr std::size_t max_slots = 9;

  lane_handler run = nullptr;  // of action::lanes
  action act = action::lanes;
  pattern_rule rule{};    // of action::lanes: what becomes of evenly spaced values
  bool is_first = false;  // of its PTX instruction: what counters count
  bool is_skip = false;   // a branch forward over operations that neither move lanes nor make them wait
  bool guard_negated = false;
  std::uint8_t result_count = 0;
  std::uint8_t slot_count = 0;
  std::array<std::uint8_t, max_slots> slot_bytes{};
  std::array<std::uint32_t, max_slots> slots{};
  std::uint32_t guard = no_slot;
  std::uint32_t mode = 0;         // rounding and flushing, 0: nearest even, subnormals kept
  std::uint32_t instruction = 0;  // in image::instructions
  std::uint32_t target = 0;       // of branches and calls: an operation; of an assumed number: what it is a multiple of
  std::uint32_t detail = 0;       // in image::accesses, exchanges, barriers or matrices
};

/// How lanes combine: atomics, reductions over a warp or a block.
enum class combine : std::uint8_t { add, min, max, and_, or_, xor_, exchange, compare_exchange, increment, decrement, popc };

/// A load, store or atomic; the address is the slot behind the last element.
struct memory_access {
  ptx::token space = ptx::token::generic;
  lane_type type = lane_type::u32;
  ptx::token written_type = ptx::token::b32;
  std::uint32_t element_bytes = 4;
  std::uint8_t elements = 1;
  bool is_cluster = false;  // .shared::cluster
  bool is_write = false;
  bool is_atomic = false;
  std::uint8_t atomics = 1;  // that begin here and are aligned as one: the first of a vector
  combine how = combine::add;
  std::uint32_t lanes = 0xffffffff;  // whose addresses count
  std::uint32_t number = 0;          // its place in image::accesses
  std::int64_t offset = 0;
  std::uint64_t extent_begin = 0;  // the shared or local variable that it is aimed at; 0 to 0: not known
  std::uint64_t extent_end = 0;
  std::uint32_t bytes() const { return element_bytes * elements; }
  std::uint32_t alignment() const { return bytes() * atomics; }
};

/// Exchanges between the lanes of one warp.
struct warp_exchange {
  ptx::token mode = ptx::token::none;  // of shfl, vote or match
  combine how = combine::add;
  lane_type type = lane_type::u32;
  bool is_synchronizing = true;  // has a member mask
};

/// bar and barrier.
struct barrier_use {
  bool waits = true;  // not arrive
  bool is_aligned = true;
  bool has_count = false;
  bool has_predicate = false;
  combine how = combine::popc;
};

/// What a slot holds before a block starts.
struct frame_value {
  enum class source : std::uint8_t { number, special, parameter, dynamic_shared };
  slot_ref to;
  source from = source::number;
  lane_type type = lane_type::u64;  // of a parameter
  std::int64_t value = 0;           // the number, ptx::special, or byte offset
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

/// A function as the machine runs it: where it begins, its values, its variables.
struct function_image {
  std::uint32_t entry = 0;  // operation
  bool is_kernel = false;
  bool may_run_abreast = false;  // a kernel whose blocks cannot tell whether others run beside them
  dynamic_array<frame_value> values;
  std::uint32_t slot_end = 0;      // first free 4-byte unit per thread
  std::uint64_t local_bytes = 0;   // end of its local variables
  std::uint64_t shared_bytes = 0;  // end of the shared variables that it or its callees name
  dynamic_array<placed_variable> shared;
  dynamic_array<call_value> params;  // of a device function, results behind the parameters
  bool is_stacked = false;           // its frame is on the thread's stack: it may be entered again before it returns
  slot_ref frame_pointer;            // of a stacked function
  std::uint64_t frame_bytes = 0;
  std::uint64_t frame_align = 16;
  dynamic_array<slot_ref> kept;  // what a call saves that may come back to this function
};

namespace detail {

struct image {
  dynamic_array<operation> code;
  dynamic_array<memory_access> accesses;
  dynamic_array<std::shared_ptr<const matrix_step>> matrices;
  dynamic_array<warp_exchange> exchanges;
  dynamic_array<barrier_use> barriers;
  dynamic_array<async_use> async_uses;
  dynamic_array<instruction_info> instructions;
  dynamic_array<function_image> functions;  // as in the module
  dynamic_array<call_site> calls;
  dynamic_array<dynamic_array<std::uint32_t>> branch_tables;  // operations
  slot_ref stack_pointer;
  bool uses_stack = false;
  bool uses_heap = false;
  bool uses_reserved_shared = false;
  std::uint32_t slot_count = 0;   // 4-byte units per thread
  std::uint64_t local_bytes = 0;  // per thread
};

}  // namespace detail
}  // namespace tg::emulator

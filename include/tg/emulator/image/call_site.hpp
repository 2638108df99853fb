// What a call hands over: where its arguments and results lie, whom it calls.
#pragma once

#include <cstdint>

#include <tg/base/dynamic_array.hpp>
#include <tg/emulator/image/slot.hpp>

namespace tg::emulator {

/// What the emulator itself provides to kernels; PTX declares them as `.extern .func`.
enum class system_function : std::uint8_t { none, vprintf, assertfail, malloc, free, memcpy, memmove, memset };

/// An argument, a result or a parameter: bytes in a thread's local memory, or a slot.
struct call_value {
  slot_ref slot;          // a register or constant; index no_slot: in memory
  std::uint64_t at = 0;   // in local memory
  bool in_frame = false;  // `at` counts from the frame pointer of its function
  std::uint64_t bytes = 0;

  bool is_slot() const { return slot.index != no_slot; }
};

/// One call instruction.
struct call_site {
  std::uint32_t caller = 0;        // function of the module
  std::uint32_t callee = no_slot;  // no_slot: by address
  bool saves = false;              // the callee may come back to the caller before it returns
  system_function system = system_function::none;
  dynamic_array<call_value> arguments;
  dynamic_array<call_value> results;
};

}  // namespace tg::emulator

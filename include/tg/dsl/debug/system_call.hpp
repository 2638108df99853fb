// Calls of the functions that the driver gives every kernel.
#pragma once

#include <string_view>

#include <tg/dsl/recorder/tracer.hpp>

namespace tg::detail {

/// One argument of vprintf: a register and its type, u32, u64 or f64.
struct printed_value {
  ptx::operand operand;
  ptx::token type = ptx::token::u32;
};

/// Calls vprintf. PTX: call of .extern .func vprintf, the values in local memory.
void record_printf(std::string_view format, const printed_value* values, std::size_t count);

/// Calls __assertfail, which ends the kernel.
void record_assertion(std::string_view message, source_location where);

}  // namespace tg::detail

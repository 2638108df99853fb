// What the table of opcodes says about each of them.
#pragma once

#include <array>
#include <cstddef>

#include <tg/ptx/ir/opcode.hpp>
#include <tg/ptx/ir/opcode_row.hpp>

namespace tg::ptx {

namespace detail {

inline constexpr auto opcode_rows = [] {
  using namespace trait;
#define TG_OPCODE(id, name, does, results, kind, cycles, flops, traits) \
  opcode_row{effect::does, results, instruction_class::kind, cycles, flops, traits},
  return std::array{
#include <tg/ptx/ir/opcode_rows.hpp>
  };
#undef TG_OPCODE
}();

}  // namespace detail

/// The row of an opcode.
constexpr const opcode_row& row_of(opcode op) { return detail::opcode_rows[static_cast<std::size_t>(op)]; }

/// Whether the opcode has one of the `wanted` traits.
constexpr bool has_trait(opcode op, trait::flags wanted) { return row_of(op).is(wanted); }

}  // namespace tg::ptx

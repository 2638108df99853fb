// What the table of opcodes says about each of them.
#pragma once

#include <cstddef>

#include <tg/base/fixed_array.hpp>
#include <tg/ptx/ir/opcode.hpp>
#include <tg/ptx/ir/opcode_row.hpp>

namespace tg::ptx {

namespace detail {

inline constexpr auto opcode_rows = [] {
  using namespace trait;
#define TG_OPCODE(id, name, does, results, kind, computes, cycles, flops, traits) \
  opcode_row{effect::does, results, instruction_class::kind, calculation::computes, cycles, flops, traits},
  return fixed_array{
#include <tg/ptx/ir/opcode_rows.hpp>
  };
#undef TG_OPCODE
}();

// Whether `Holds` is true of a row, for each opcode: what passes ask of every instruction takes one load.
template <bool (*Holds)(const opcode_row&)>
inline constexpr auto opcodes_that = [] {
  fixed_array<bool, opcode_rows.size()> out{};
  for (std::size_t n = 0; n < out.size(); ++n) out[n] = Holds(opcode_rows[n]);
  return out;
}();

constexpr bool loads(const opcode_row& row) { return row.does == effect::reads_memory && row.is(trait::access); }
constexpr bool stores(const opcode_row& row) {
  return row.does == effect::writes_memory && row.is(trait::access) && !row.is(trait::matrix_rows);
}

// The number of results of each row, one byte after the other, because passes ask for it at each instruction.
inline constexpr auto results_by_opcode = [] {
  fixed_array<std::uint8_t, opcode_rows.size()> out{};
  for (std::size_t n = 0; n < out.size(); ++n) {
    out[n] = opcode_rows[n].results;
    if (opcode_rows[n].is(trait::deferred) && out[n] != by_modifiers) throw "what is deferred has results by its modifiers";
  }
  return out;
}();

// The opcode that makes each calculation: one, as a test of the table says.
inline constexpr auto opcodes_by_calculation = [] {
  fixed_array<opcode, static_cast<std::size_t>(calculation::other)> out{};
  for (std::size_t n = 0; n < opcode_rows.size(); ++n)
    if (opcode_rows[n].computes != calculation::other)
      out[static_cast<std::size_t>(opcode_rows[n].computes)] = static_cast<opcode>(n);
  return out;
}();

}  // namespace detail

/// The row of an opcode.
constexpr const opcode_row& row_of(opcode op) { return detail::opcode_rows[static_cast<std::size_t>(op)]; }

/// Leading operands that are written, or `by_modifiers`, as for everything that is deferred.
constexpr std::uint8_t usual_results(opcode op) { return detail::results_by_opcode[static_cast<std::size_t>(op)]; }

/// What its result is.
constexpr calculation calculation_of(opcode op) { return row_of(op).computes; }

/// The opcode whose result is that of `wanted`. Requires: not `other`.
constexpr opcode opcode_of(calculation wanted) { return detail::opcodes_by_calculation[static_cast<std::size_t>(wanted)]; }

/// Whether its result is that of `wanted`: a comparison with a number where `wanted` is a constant. Requires: not `other`.
constexpr bool computes(opcode op, calculation wanted) { return op == opcode_of(wanted); }

/// Reads memory at one address, before the next instruction.
constexpr bool is_load(opcode op) { return detail::opcodes_that<detail::loads>[static_cast<std::size_t>(op)]; }

/// Writes what each lane has for itself to memory at one address, before the next instruction.
constexpr bool is_store(opcode op) { return detail::opcodes_that<detail::stores>[static_cast<std::size_t>(op)]; }

/// Whether the opcode has one of the `wanted` traits.
constexpr bool has_trait(opcode op, trait::flags wanted) { return row_of(op).is(wanted); }

}  // namespace tg::ptx

// The columns of the opcode table in `opcode.hpp`: what a PTX instruction is, whatever its modifiers are.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tg::ptx {

/// How an instruction touches the world beyond its results; a later one binds more than an earlier one.
enum class effect : std::uint8_t {
  pure,            // the result follows from the operands: may be removed, merged, moved, computed early
  reads_constant,  // of memory that no one writes while the kernel runs: may be removed, merged, moved after its guard
  reads_memory,    // may be removed; merged or moved only where nothing between writes
  convergent,      // reads other lanes: may be removed; never moved or merged across control flow
  ordered,         // volatile loads, clocks, the carry flag: stays as it is, in its place
  writes_memory,
  atomic,
  synchronizes,  // barriers, fences, waits: memory accesses do not cross it
  control,       // branches, calls, labels and the markers of structured control flow
};

/// Kinds of instructions that are counted apart.
enum class instruction_class : std::uint8_t {
  arithmetic,
  special_function,
  matrix,
  memory,
  atomic,
  exchange,
  barrier,
  control,
  other,
};
/// How many values `instruction_class` has.
inline constexpr std::size_t instruction_classes = 9;

/// What the result of an opcode is, whatever the type. Modifiers say the rest: which half of a product, how to round, whether
/// to saturate.
enum class calculation : std::uint8_t {
  copy,
  convert,
  convert_address,  // between a state space and the generic one
  compare,          // the result is a predicate
  select,           // the first source where the third one holds, else the second
  neg,
  abs,
  bit_not,
  add,
  sub,
  mul,
  mul_add,
  fused_mul_add,  // rounded once
  div,
  rem,
  min,
  max,
  bit_and,
  bit_or,
  bit_xor,
  mask,
  shl,
  shr,
  other,  // none of these, or no result
};

/// Yes-or-no properties of an opcode; several are joined by `|`.
namespace trait {
using flags = std::uint32_t;
inline constexpr flags none = 0;
inline constexpr flags commutative = 1;     ///< the first two sources can change places
inline constexpr flags cheap = 2;           ///< the integer form costs less than a branch around it
inline constexpr flags uniform = 4;         ///< the uniform datapath has the integer form
inline constexpr flags sequence = 8;        ///< many machine instructions, unless it is approximate
inline constexpr flags immediates = 16;     ///< each source can be a number
inline constexpr flags bitwise = 32;        ///< each bit of the result depends on that bit of the sources, and on predicates
inline constexpr flags carries_up = 64;     ///< the low half of the result depends on the low halves of the sources
inline constexpr flags jumps = 128;         ///< goes on at a label
inline constexpr flags leaves = 256;        ///< ends the thread or the function
inline constexpr flags meets_block = 512;   ///< barrier of a block, or of a warp with `.warp`
inline constexpr flags texture = 1024;      ///< of a texture or surface; `verify` refuses it
inline constexpr flags video = 2048;        ///< operands can be bytes or halves of a register
inline constexpr flags access = 4096;       ///< reads or writes memory at its one address, before the next instruction
inline constexpr flags matrix_rows = 8192;  ///< each of the first lanes has the address of a row
inline constexpr flags half_first = 16384;  ///< .lo, .hi or .wide stands before all other modifiers
inline constexpr flags branch = 1u << 15;   ///< jumps to the label that is its first operand
inline constexpr flags calls = 1u << 16;    ///< runs another function, then goes on behind it
inline constexpr flags copies =
    1u << 17;  ///< from one address to another, done later than the next instruction, or waits for it
inline constexpr flags deferred =
    1u << 18;  ///< done later: its registers are not touched until it is waited for, with the same opcode
}  // namespace trait

/// The number of results depends on the modifiers.
inline constexpr std::uint8_t by_modifiers = 0xff;

/// One row of the opcode table.
struct opcode_row {
  effect does = effect::control;  ///< without modifiers; `effect_of` looks at these too
  std::uint8_t results = 0;       ///< leading operands that are written, or `by_modifiers`
  instruction_class kind = instruction_class::other;
  calculation computes = calculation::other;
  std::uint8_t cycles = 0;  ///< about, from issue to the use of the result: `far_cycles` where it depends on the memory
  std::uint8_t flops = 0;   ///< floating-point operations of one lane, where the type is floating
  trait::flags traits = trait::none;

  constexpr bool is(trait::flags wanted) const { return (traits & wanted) != 0; }
};

/// Latency of memory outside of the multiprocessor, as the scheduler of ptxas seems to assume it.
inline constexpr std::uint8_t far_cycles = 60;

}  // namespace tg::ptx

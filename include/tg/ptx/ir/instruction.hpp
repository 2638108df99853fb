// One PTX instruction: opcode, dotted tokens in their written order, operands, guard, C++ line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>

#include <tg/base/fixed_array.hpp>
#include <tg/ptx/ir/opcode.hpp>
#include <tg/ptx/ir/operand.hpp>
#include <tg/ptx/ir/operation.hpp>

namespace tg::ptx {

/// Place in the C++ source: index into `module::files` (0: not known) and line.
struct location {
  std::uint32_t file = 0;
  std::uint32_t line = 0;
  friend constexpr bool operator==(const location&, const location&) = default;
};

/// Marks an instruction without guard or without access number.
inline constexpr std::uint32_t no_index = 0xffffffff;

/// `@!p add.sat.s32 d, a, b;` Tokens keep the written order, so that printing and parsing are exact for every form.
struct instruction {
  static constexpr std::size_t max_tokens = 12;
  static constexpr std::size_t max_operands = 8;

  opcode op = opcode::none;
  std::uint8_t token_count = 0;
  std::uint8_t operand_count = 0;
  bool guard_negated = false;
  std::uint32_t guard = no_index;  // predicate register
  location where;
  std::uint32_t access = no_index;             // number of the memory access in the front end's list; not printed, not compared
  fixed_array<token, max_tokens> token_array;  // `token::none` behind the last
  fixed_array<operand, max_operands> operand_array;  // `operand_kind::none` behind the last

  instruction() { clear_arrays(); }
  instruction(opcode op, std::initializer_list<token> tokens, std::initializer_list<operand> operands) : op(op) {
    clear_arrays();
    for (const token t : tokens) add(t);
    for (const operand& o : operands) add(o);
  }
  instruction(const operation& what, std::initializer_list<operand> operands) : op(what.op) {
    clear_arrays();
    for (const token t : what.tokens) add(t);
    for (const operand& o : operands) add(o);
  }

  /// `token::none` is skipped, so that optional modifiers can be passed straight through.
  void add(token t) {
    if (t != token::none) token_array[token_count++] = t;
  }
  void add(const operand& o) { operand_array[operand_count++] = o; }

  std::span<const token> tokens() const { return {token_array.data(), token_count}; }
  std::span<operand> operands() { return {operand_array.data(), operand_count}; }
  std::span<const operand> operands() const { return {operand_array.data(), operand_count}; }
  operand& operator[](std::size_t i) { return operand_array[i]; }
  const operand& operator[](std::size_t i) const { return operand_array[i]; }

  bool has(token t) const {
    for (const token own : tokens())
      if (own == t) return true;
    return false;
  }
  /// The last token: for most instructions the type.
  token type() const { return token_count == 0 ? token::none : token_array[token_count - 1u]; }
  bool is_guarded() const { return guard != no_index; }

  /// Empties it, as passes do with what they take out; its arrays stay as they are.
  void clear() {
    op = opcode::none;
    token_count = operand_count = 0;
    guard = access = no_index;
  }

  friend bool operator==(const instruction& a, const instruction& b) {
    return a.op == b.op && a.token_count == b.token_count && a.operand_count == b.operand_count && a.guard == b.guard &&
           (a.guard == no_index || a.guard_negated == b.guard_negated) && a.where == b.where &&
           a.token_array == b.token_array && a.operand_array == b.operand_array;
  }

 private:
  // Copied from constants: of the same written as initialisers GCC makes `rep stos`, which takes 40 cycles.
  void clear_arrays() {
    static constexpr fixed_array<token, max_tokens> no_tokens{};
    static constexpr fixed_array<operand, max_operands> no_operands{};
    std::memcpy(token_array.data(), no_tokens.data(), sizeof token_array);
    std::memcpy(operand_array.data(), no_operands.data(), sizeof operand_array);
  }
};

}  // namespace tg::ptx

// What an instruction reads and writes.
#pragma once

#include <cstdint>

#include <tg/ptx/ir/special.hpp>
#include <tg/ptx/ir/token.hpp>

namespace tg::ptx {

/// What an operand is; `operand::id` and `operand::value` are read accordingly.
enum class operand_kind : std::uint8_t {
  none,
  reg,        // id: register of the function
  special,    // id: ptx::special
  integer,    // value: sign-extended from the width of the instruction's type
  f32,        // value: the 32 bits
  f64,        // value: the 64 bits
  variable,   // id: module variable (global, shared, const, local), its address
  local,      // id: function-scope variable (.local, .param of a call sequence)
  param,      // id: parameter of the function; behind the parameters its results
  function,   // id: function of the module
  label,      // id: label of the function
  address,    // [base + value]; base says what id is
  vector,     // {…}: function::elements[id, id + value)
  pair,       // p|q: function::elements[id], [id + 1]
  sink,       // _
  prototype,  // id: function::prototypes, the signature of a call through a register
};

/// One operand; 16 bytes, trivially copied and compared.
struct operand {
  operand_kind kind = operand_kind::none;
  // What an address begins with: reg, variable, local, param, or none for a number alone. A vector has `address` here where
  // it stands inside the brackets of the operand before it, as a tensor's coordinates do.
  operand_kind base = operand_kind::none;
  bool negated = false;        // !p, and -r of vmad
  std::uint8_t recording = 0;  // of a kernel's values: which recording made it; not compared
  std::uint32_t id = 0;
  std::int64_t value = 0;

  static constexpr operand reg(std::uint32_t id) { return {.kind = operand_kind::reg, .id = id}; }
  static constexpr operand special(ptx::special s) {
    return {.kind = operand_kind::special, .id = static_cast<std::uint32_t>(s)};
  }
  static constexpr operand integer(std::int64_t value) { return {.kind = operand_kind::integer, .value = value}; }
  static constexpr operand f32(float value) {
    return {.kind = operand_kind::f32, .value = static_cast<std::int64_t>(__builtin_bit_cast(std::uint32_t, value))};
  }
  static constexpr operand f64(double value) {
    return {.kind = operand_kind::f64, .value = __builtin_bit_cast(std::int64_t, value)};
  }
  static constexpr operand named(operand_kind kind, std::uint32_t id) { return {.kind = kind, .id = id}; }
  /// `[base + offset]` where `base` is a register, variable, local or parameter.
  static constexpr operand address(operand base, std::int64_t offset = 0) {
    return {.kind = operand_kind::address, .base = base.kind, .recording = base.recording, .id = base.id, .value = offset};
  }

  constexpr operand operator!() const {
    operand out = *this;
    out.negated = !negated;
    return out;
  }

  constexpr bool is(operand_kind k) const { return kind == k; }
  constexpr bool is_reg() const { return kind == operand_kind::reg; }
  constexpr bool is_immediate() const {
    return kind == operand_kind::integer || kind == operand_kind::f32 || kind == operand_kind::f64;
  }
  /// A register or an address based on one.
  constexpr bool uses_reg() const { return is_reg() || (kind == operand_kind::address && base == operand_kind::reg); }

  friend constexpr bool operator==(const operand& a, const operand& b) {
    return a.kind == b.kind && a.base == b.base && a.negated == b.negated && a.id == b.id && a.value == b.value;
  }
};

static_assert(sizeof(operand) == 16);

}  // namespace tg::ptx

// Arithmetic of bf16 in the instructions that sm_80 has too.
#pragma once

#include <cstdint>

#include <tg/base/fixed_array.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/passes/insertions.hpp>

namespace tg::ptx {

/// `add`, `sub`, `mul` of `.bf16` and `.bf16x2` need sm_90, `fma.rn` needs sm_80 and with 1, -1 or -0 gives the same
/// bits: a + b = a·1 + b, a - b = b·(-1) + a, a·b = a·b + (-0). A comparison is that of the floats. Written after
/// contraction, so that what is one fma stays one.
void lower_bf16(function& f);

namespace detail {

class bf16_lowering {
 public:
  explicit bf16_lowering(function& f) : f_(f) {}

  void run() {
    for (std::uint32_t n = 0, end = f_.body_size(); n < end; ++n) {
      instruction& i = f_.body[n];
      const token t = i.type();
      if (t != token::bf16 && t != token::bf16x2) continue;
      switch (calculation_of(i.op)) {
        case calculation::add: become_fma(i, i[1], one(t), i[2]); break;
        case calculation::sub: become_fma(i, i[2], minus_one(t), i[1]); break;
        case calculation::mul: become_fma(i, i[1], i[2], minus_zero(t)); break;
        case calculation::compare:
          if (t == token::bf16) compare_as_floats(n);
          break;
        default: break;
      }
    }
    added_.apply(f_);
    std::size_t count = 0;
    for (const constant& c : constants_)
      if (c.is_used) f_.body.insert(f_.body.begin() + static_cast<std::ptrdiff_t>(count++), c.move);
  }

 private:
  struct constant {
    bool is_used = false;
    instruction move;
  };

  static void become_fma(instruction& i, operand a, operand b, operand c) {
    const operand result = i[0];
    const token type = i.type();
    instruction out(opcode::fma, {token::rn, type}, {result, a, b, c});
    out.where = i.where;
    out.guard = i.guard;
    out.guard_negated = i.guard_negated;
    i = out;
  }

  void compare_as_floats(std::uint32_t n) {
    for (std::size_t k = 1; k < 3; ++k) {
      const operand wide = added_.compute(f_, n, token::f32, operation::convert(token::f32, token::bf16), {f_.body[n][k]});
      f_.body[n][k] = wide;
    }
    f_.body[n].token_array[f_.body[n].token_count - 1u] = token::f32;
  }

  operand one(token t) { return known(0, t, 0x3f80); }
  operand minus_one(token t) { return known(1, t, 0xbf80); }
  operand minus_zero(token t) { return known(2, t, 0x8000); }

  // In a register that the start of the function fills: instructions on halves have no immediates.
  operand known(std::size_t which, token t, std::uint32_t bits) {
    const bool is_pair = t == token::bf16x2;
    constant& c = constants_[2 * which + is_pair];
    if (!c.is_used) {
      const token type = is_pair ? token::b32 : token::b16;
      const std::int64_t value = is_pair ? static_cast<std::int32_t>(bits << 16 | bits) : static_cast<std::int16_t>(bits);
      c.move = instruction(operation::copy(type), {operand::reg(f_.new_register(type)), operand::integer(value)});
      c.move.where = f_.body.front().where;
      c.is_used = true;
    }
    return c.move[0];
  }

  function& f_;
  insertions added_;
  fixed_array<constant, 6> constants_;
};

}  // namespace detail

inline void lower_bf16(function& f) { detail::bf16_lowering(f).run(); }

}  // namespace tg::ptx

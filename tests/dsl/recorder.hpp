// A function that is recorded by hand.
#pragma once

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include <tg/dsl/recorder/known_values.hpp>
#include <tg/ptx/verify/verify.hpp>

namespace recording {

using namespace tg::ptx;

/// What records a kernel's expressions, called by hand.
struct recorder {
  module m = one_function();
  builder b{m, 0};
  tg::detail::known_values known;

  static module one_function() {
    module m;
    m.functions.emplace_back().name = "f";
    return m;
  }
  std::size_t size() { return b.fn().body.size(); }
  operand variable(token type = token::u32) { return operand::reg(b.fn().new_register(type)); }
  operand compute(token type, opcode op, std::initializer_list<token> tokens, std::initializer_list<operand> sources) {
    return known.compute(b, type, op, tokens, sources);
  }
  void emit(opcode op, std::initializer_list<token> tokens, std::initializer_list<operand> operands) {
    known.emit(b, op, tokens, operands);
  }
  operand special(tg::ptx::special s) { return compute(token::u32, opcode::mov, {token::u32}, {operand::special(s)}); }
  operand thread() { return special(special::tid_x); }
  operand plus(operand x, std::int64_t y) { return compute(token::u32, opcode::add, {token::u32}, {x, operand::integer(y)}); }
  operand read(operand v, token type = token::u32) { return compute(type, opcode::mov, {type}, {v}); }
  void write(operand v, operand x, token type = token::u32) { emit(opcode::mov, {type}, {v, x}); }
  operand less(std::int64_t y) {
    return compute(token::pred, opcode::setp, {token::lt, token::u32}, {thread(), operand::integer(y)});
  }
  operand condition() { return less(9); }
  void if_() { emit(opcode::if_, {}, {condition()}); }
  void else_() { emit(opcode::else_, {}, {}); }
  void endif() { emit(opcode::endif, {}, {}); }
  void loop() { emit(opcode::loop, {}, {}); }
  void endloop() { emit(opcode::endloop, {}, {condition()}); }
  /// Each marker has its other half, and each register is written on every path to where it is read.
  void ends() {
    module whole = m;
    whole.functions[0].body.emplace_back().op = opcode::ret;
    CHECK_NOTHROW(verify(whole));
  }
};

}  // namespace recording

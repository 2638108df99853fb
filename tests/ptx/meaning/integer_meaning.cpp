#include <tg/ptx/meaning/integer_meaning.hpp>

#include <doctest/doctest.h>

#include <string>

#include <tg/ptx/ir/opcode_name.hpp>
#include <tg/ptx/ir/opcode_table.hpp>

using namespace tg::ptx;

namespace {

using text = std::string;

text width_of(word_type t) { return (t.is_signed ? "s" : "u") + std::to_string(t.bits); }

/// Values are what was done, as text; nothing is known of shifts to the right.
struct spelling_domain : blank_domain<text> {
  text copy(const text& a) const { return a; }
  text convert(const text& a, token from, token to) const { return text(name(to)) + "(" + text(name(from)) + " " + a + ")"; }
  text neg(const text& a, word_type) const { return "-" + a; }
  text abs(const text& a, word_type t) const { return "|" + a + "|" + width_of(t); }
  text bit_not(const text& a) const { return "~" + a; }
  text add(const text& a, const text& b) const { return "(" + a + "+" + b + ")"; }
  text sub(const text& a, const text& b) const { return "(" + a + "-" + b + ")"; }
  text mul_low(const text& a, const text& b, word_type) const { return a + "*" + b; }
  text mul_high(const text& a, const text& b, word_type t) const { return "high " + width_of(t) + " " + a + "*" + b; }
  text mul_wide(const text& a, const text& b, word_type t) const { return "wide " + width_of(t) + " " + a + "*" + b; }
  text div(const text& a, const text& b, word_type t) const { return a + "/" + width_of(t) + b; }
  text rem(const text& a, const text& b, word_type t) const { return a + "%" + width_of(t) + b; }
  text min(const text& a, const text& b, word_type t) const { return "min " + width_of(t) + " " + a + b; }
  text max(const text& a, const text& b, word_type t) const { return "max " + width_of(t) + " " + a + b; }
  text bit_and(const text& a, const text& b) const { return a + "&" + b; }
  text bit_or(const text& a, const text& b) const { return a + "|" + b; }
  text bit_xor(const text& a, const text& b) const { return a + "^" + b; }
  text mask(const text& a, const text& b, bool wraps) const { return "mask " + a + b + (wraps ? " wraps" : ""); }
  text shl(const text& a, const text& b, word_type t) const { return a + "<<" + width_of(t) + b; }
};

text meaning(opcode op, std::initializer_list<token> tokens) {
  const instruction i(op, tokens, {operand::reg(0), operand::reg(1), operand::reg(2), operand::reg(3)});
  return integer_result(i, spelling_domain(), [](std::size_t k) { return text(1, static_cast<char>('a' + k - 1)); });
}

}  // namespace

TEST_CASE("each instruction asks its operation, with the width and sign of its type") {
  const struct {
    opcode op;
    std::initializer_list<token> tokens;
    const char* meaning;
  } rows[] = {
      {opcode::mov, {token::f32}, "a"},
      {opcode::cvt, {token::s64, token::s32}, "s64(s32 a)"},
      {opcode::neg, {token::s32}, "-a"},
      {opcode::abs, {token::s16}, "|a|s16"},
      {opcode::not_, {token::b32}, "~a"},
      {opcode::add, {token::u32}, "(a+b)"},
      {opcode::sub, {token::s64}, "(a-b)"},
      {opcode::mul, {token::lo, token::u32}, "a*b"},
      {opcode::mul, {token::hi, token::s32}, "high s32 a*b"},
      {opcode::mul, {token::wide, token::u32}, "wide u32 a*b"},
      {opcode::mad, {token::lo, token::u32}, "(a*b+c)"},
      {opcode::mad, {token::wide, token::s32}, "(wide s32 a*b+c)"},
      {opcode::div, {token::u64}, "a/u64b"},
      {opcode::rem, {token::s32}, "a%s32b"},
      {opcode::min, {token::u32}, "min u32 ab"},
      {opcode::max, {token::s32}, "max s32 ab"},
      {opcode::and_, {token::b32}, "a&b"},
      {opcode::or_, {token::pred}, "a|b"},
      {opcode::xor_, {token::b64}, "a^b"},
      {opcode::shl, {token::b32}, "a<<u32b"},
      {opcode::bmsk, {token::clamp, token::b32}, "mask ab"},
      {opcode::bmsk, {token::wrap, token::b32}, "mask ab wraps"},
  };
  for (const auto& row : rows) {
    CAPTURE(name(row.op));
    CHECK(meaning(row.op, row.tokens) == row.meaning);
  }
}

TEST_CASE("nothing is known of what a domain does not declare, and of what is no plain integer operation") {
  CHECK(meaning(opcode::shr, {token::u32}).empty());
  CHECK(meaning(opcode::popc, {token::b32}).empty());
  CHECK(meaning(opcode::add, {token::f32}).empty());
  CHECK(meaning(opcode::mul, {token::f64}).empty());
  CHECK(meaning(opcode::add, {token::u16x2}).empty());
  CHECK(meaning(opcode::add, {token::sat, token::s32}).empty());
  CHECK(meaning(opcode::max, {token::relu, token::s32}).empty());
}

TEST_CASE("an instruction whose result has a meaning has a row that folds it") {
  for (std::size_t n = 0; n < std::size(opcode_names); ++n) {
    const auto op = static_cast<opcode>(n);
    CAPTURE(name(op));
    if (!meaning(op, {token::s32, token::b32}).empty()) CHECK(has_trait(op, trait::immediates));
  }
}

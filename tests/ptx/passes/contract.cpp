#include <tg/ptx/passes/contract.hpp>

#include <doctest/doctest.h>

#include "sketch.hpp"

namespace {

using namespace tg::ptx;
using tg::ptx::test::sketch;

// a · b and c in `type`, combined by `write`; what is left after the parameters.
template <class Write> std::string contracted(token type, const Write& write) {
  sketch s;
  const operand a = s.parameter(type), b = s.parameter(type), c = s.parameter(type);
  write(s, a, b, c);
  contract(s.f());
  drop_empty(s.f());
  std::string text = s.text();
  for (int k = 0; k < 3; ++k) text = text.substr(text.find('\n') + 1);
  return text;
}

}  // namespace

TEST_CASE("a product with one reader joins its sum") {
  CHECK(contracted(token::f32, [](sketch& s, operand a, operand b, operand c) {
          s.op(opcode::add, token::f32, {s.op(opcode::mul, token::f32, {a, b}), c});
        }) == "fma.rn.f32 r3, r0, r1, r2\n");
  CHECK(contracted(token::f64, [](sketch& s, operand a, operand b, operand c) {
          s.op(opcode::add, token::f64, {c, s.op(opcode::mul, token::f64, {a, b})});
        }) == "fma.rn.f64 r3, r0, r1, r2\n");
  CHECK(contracted(token::f32, [](sketch& s, operand a, operand b, operand c) {
          s.op(opcode::sub, token::f32, {s.op(opcode::mul, token::f32, {a, b}), c});
        }) == "neg.f32 r3, r2\nfma.rn.f32 r4, r0, r1, r3\n");
  CHECK(contracted(token::f32, [](sketch& s, operand a, operand b, operand c) {
          s.op(opcode::sub, token::f32, {c, s.op(opcode::mul, token::f32, {a, b})});
        }) == "neg.f32 r3, r0\nfma.rn.f32 r4, r3, r1, r2\n");
  CHECK(contracted(token::f32, [](sketch& s, operand a, operand b, operand) {
          s.op(opcode::sub, token::f32, {s.op(opcode::mul, token::f32, {a, b}), operand::f32(0.5f)});
        }) == "fma.rn.f32 r3, r0, r1, f32:-0.500000\n");
}

TEST_CASE("integer products join sums, wide ones do not") {
  CHECK(contracted(token::u32, [](sketch& s, operand a, operand b, operand c) {
          s.op(opcode::add, token::u32, {s.op(opcode::mul, token::lo, token::u32, {a, b}), c});
        }) == "mad.lo.u32 r3, r0, r1, r2\n");
  sketch s;
  const operand base = s.parameter(token::u64), i = s.parameter(token::s32);
  s.op(opcode::add, token::s64, {base, s.op(opcode::mul, token::wide, token::s32, {i, operand::integer(4)})});
  contract(s.f());
  drop_empty(s.f());
  CHECK(s.count(opcode::mul) == 1);
  CHECK(s.count(opcode::mad) == 0);
}

TEST_CASE("traps: a rounding is written, a second reader, saturation, another flush mode, a high product") {
  const auto stays = [](token type, const auto& write) { return contracted(type, write).find("ma") == std::string::npos; };
  CHECK(stays(token::f32, [](sketch& s, operand a, operand b, operand c) {
    s.op(opcode::add, token::f32, {s.op(opcode::mul, token::rn, token::f32, {a, b}), c});
  }));
  CHECK(stays(token::f32, [](sketch& s, operand a, operand b, operand c) {
    s.op(opcode::add, token::rn, token::f32, {s.op(opcode::mul, token::f32, {a, b}), c});
  }));
  CHECK(stays(token::f32, [](sketch& s, operand a, operand b, operand c) {
    const operand product = s.op(opcode::mul, token::f32, {a, b});
    s.op(opcode::add, token::f32, {product, c});
    s.use(product, token::f32);
  }));
  CHECK(stays(token::f32, [](sketch& s, operand a, operand b, operand) {
    const operand product = s.op(opcode::mul, token::f32, {a, b});
    s.op(opcode::add, token::f32, {product, product});
  }));
  CHECK(stays(token::f32, [](sketch& s, operand a, operand b, operand c) {
    s.op(opcode::add, token::f32, {s.op(opcode::mul, token::sat, token::f32, {a, b}), c});
  }));
  CHECK(stays(token::f32, [](sketch& s, operand a, operand b, operand c) {
    s.op(opcode::add, token::f32, {s.op(opcode::mul, token::ftz, token::f32, {a, b}), c});
  }));
  CHECK(stays(token::u32, [](sketch& s, operand a, operand b, operand c) {
    s.op(opcode::add, token::u32, {s.op(opcode::mul, token::hi, token::u32, {a, b}), c});
  }));
  CHECK(stays(token::u32, [](sketch& s, operand a, operand b, operand c) {
    s.op(opcode::sub, token::u32, {s.op(opcode::mul, token::lo, token::u32, {a, b}), c});
  }));
}

TEST_CASE("traps: a factor is a variable, a loop is between") {
  sketch s;
  const operand a = s.parameter(token::f32), v = s.variable(token::f32);
  s.move(v, a);
  const operand product = s.op(opcode::mul, token::f32, {v, a});
  s.move(v, operand::f32(0));
  s.op(opcode::add, token::f32, {product, a});
  const operand outside = s.op(opcode::mul, token::f32, {a, a});
  s.loop();
  s.op(opcode::add, token::f32, {outside, a});
  s.endloop(s.parameter(token::pred));
  contract(s.f());
  drop_empty(s.f());
  CHECK(s.count(opcode::fma) == 0);
}

namespace {

/// Two floats, rounded to bf16 and put into one register; `spoil` adds to it.
template <class Spoil> std::string rounded(token rounding, const Spoil& spoil) {
  sketch s;
  const operand a = s.parameter(token::f32), b = s.parameter(token::f32);
  const auto half = [&](const operand& x) {
    return s.b.compute(token::b16, opcode::cvt, {rounding, token::bf16, token::f32}, {x});
  };
  const operand low = half(a), high = half(b);
  const operand parts[] = {low, high};
  s.use(s.op(opcode::mov, token::b32, {s.f().new_vector(parts)}));
  spoil(s, low);
  contract(s.f());
  drop_empty(s.f());
  return s.text();
}

}  // namespace

TEST_CASE("two floats that are rounded to bf16 for one register are rounded by one instruction") {
  const auto nothing = [](sketch&, const operand&) {};
  CHECK(rounded(token::rn, nothing).find("cvt.rn.bf16x2.f32 r2, r1, r0\n") != std::string::npos);
  CHECK(rounded(token::rn, nothing).find("mov") == std::string::npos);
  // Another rounding, and a half that is read again.
  CHECK(rounded(token::rz, nothing).find("bf16x2") == std::string::npos);
  CHECK(rounded(token::rn, [](sketch& s, const operand& low) { s.use(low, token::b16); }).find("bf16x2") == std::string::npos);
}

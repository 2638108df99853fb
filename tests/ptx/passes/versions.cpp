#include <tg/ptx/passes/versions.hpp>

#include <doctest/doctest.h>

#include <tg/base/dynamic_array.hpp>

#include "sketch.hpp"

namespace {

using namespace tg::ptx;
using tg::ptx::test::sketch;

// The number of `v` before each instruction and at the end.
tg::dynamic_array<std::uint32_t> numbers(sketch& s, operand v) {
  const auto uses = count_uses(s.f());
  versions version(s.f(), uses);
  tg::dynamic_array<std::uint32_t> out;
  for (std::uint32_t n = 0; n < s.f().body.size(); ++n) {
    out.push_back(version[v.id]);
    version.pass(n);
  }
  out.push_back(version[v.id]);
  return out;
}

}  // namespace

TEST_CASE("each write has its number") {
  sketch s;
  const operand v = s.variable(token::u32);
  s.move(v, operand::integer(1));
  s.use(v);
  s.move(v, operand::integer(2));
  const auto at = numbers(s, v);
  CHECK(at[1] == at[2]);
  CHECK(at[1] != at[3]);
}

TEST_CASE("after a branch that writes the contents are new, in the other branch too") {
  sketch s;
  const operand v = s.variable(token::u32), p = s.parameter(token::pred);
  s.move(v, operand::integer(1));  // 1
  s.if_(p);                        // 2
  s.move(v, operand::integer(2));  // 3
  s.else_();                       // 4
  s.use(v);                        // 5
  s.endif();                       // 6
  s.if_(p);                        // 7
  s.use(v);                        // 8
  s.endif();                       // 9
  const auto at = numbers(s, v);
  CHECK(at[4] != at[5]);
  CHECK(at[7] != at[4]);
  CHECK(at[7] != at[5]);
  CHECK(at[7] == at[10]);
}

TEST_CASE("a loop that writes starts with new contents, one that only reads does not") {
  sketch s;
  const operand v = s.variable(token::u32), w = s.variable(token::u32), p = s.parameter(token::pred);
  s.move(w, operand::integer(0)), s.move(w, operand::integer(1));
  s.move(v, operand::integer(1));  // 3
  s.loop();                        // 4
  s.use(v);                        // 5
  s.loop();                        // 6
  s.move(v, operand::integer(2));  // 7
  s.endloop(p);
  s.endloop(p);
  const auto of_v = numbers(s, v), of_w = numbers(s, w);
  CHECK(of_v[4] != of_v[5]);
  CHECK(of_v[6] != of_v[7]);
  CHECK(of_v[8] == of_v[10]);
  CHECK(of_w[4] == of_w[10]);
}

TEST_CASE("variables are what is not written once") {
  sketch s;
  const operand v = s.variable(token::u32), p = s.parameter(token::u32);
  s.move(v, operand::integer(1)), s.move(v, p);
  const auto uses = count_uses(s.f());
  for (const versions& own : {versions(s.f()), versions(s.f(), uses)}) {
    CHECK(own.is_variable(v.id));
    CHECK_FALSE(own.is_variable(p.id));
  }
}

#include <tg/ptx/registers/pressure.hpp>

#include <doctest/doctest.h>

TEST_CASE("wide values take two registers, predicates none") {
  using tg::ptx::token;
  tg::ptx::pressure p;
  for (const token t : {token::u32, token::f32, token::s64, token::f64, token::f16, token::u8, token::b128}) p.change(t, +1);
  p.change(token::pred, +1);
  CHECK(p.registers == 1 + 1 + 2 + 2 + 1 + 1 + 4);
  CHECK(p.b16 == 2);
  CHECK(p.predicates == 1);
  p.change(token::f64, -1);
  CHECK(p.registers == 10);
  CHECK(p.f64 == 0);
}

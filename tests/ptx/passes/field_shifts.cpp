#include <tg/ptx/passes/field_shifts.hpp>

#include <doctest/doctest.h>

#include <random>

#include <tg/ptx/passes/contract.hpp>

#include "machine.hpp"
#include "sketch.hpp"

namespace {

using namespace tg::ptx;
using tg::ptx::test::machine;
using tg::ptx::test::sketch;

struct field {
  token type = token::u32;
  std::int64_t down = 8, mask = 255, up = 2;
  bool shares_mask = false;
};

sketch shifted(const field& w) {
  sketch s;
  const operand x = s.parameter(w.type);
  const token word = bits_type(width_bits(w.type));
  const operand part =
      s.op(opcode::and_, word, {s.op(opcode::shr, w.type, {x, operand::integer(w.down)}), operand::integer(w.mask)});
  s.use(s.op(opcode::shl, word, {part, operand::integer(w.up)}));
  if (w.shares_mask) s.use(part);
  s.b.emit(opcode::ret, {}, {});
  return s;
}

std::uint32_t result(const function& f, std::uint64_t x) {
  machine m{f, 0, {x}};
  m.run();
  return m.stores.at(0).second;
}

bool changes(const field& w) {
  sketch s = shifted(w);
  contract(s.f());
  drop_empty(s.f());
  return s.text() != shifted(w).text();
}

}  // namespace

TEST_CASE("a field that indexes a table needs one shift and a mask") {
  sketch s = shifted({});
  contract(s.f());
  drop_empty(s.f());
  CHECK(s.text() == "ld.param.u32 r0, [p0]\nshr.u32 r1, r0, 6\nand.b32 r2, r1, 1020\nst.global.u32 [v0], r2\nret\n");
  sketch up = shifted({.down = 1, .mask = 3, .up = 4});
  contract(up.f());
  drop_empty(up.f());
  CHECK(up.text() == "ld.param.u32 r0, [p0]\nshl.b32 r1, r0, 3\nand.b32 r2, r1, 48\nst.global.u32 [v0], r2\nret\n");
  sketch none = shifted({.down = 5, .mask = -1, .up = 5});
  contract(none.f());
  drop_empty(none.f());
  CHECK(none.text() == "ld.param.u32 r0, [p0]\nand.b32 r1, r0, -32\nst.global.u32 [v0], r1\nret\n");
}

TEST_CASE("traps: signs that come down, values that others read, shifts by nothing and too much") {
  CHECK(changes({}));
  CHECK_FALSE(changes({.type = token::s32}));
  CHECK_FALSE(changes({.shares_mask = true}));
  CHECK_FALSE(changes({.down = 0}));
  CHECK_FALSE(changes({.down = 32}));
  CHECK_FALSE(changes({.up = 32}));
}

TEST_CASE("random fields keep their values") {
  std::mt19937_64 random(7);
  for (int n = 0; n < 3000; ++n) {
    const bool is_wide = n % 3 == 0;
    const std::uint64_t bits = is_wide ? 64 : 32;
    const field w{is_wide ? token::u64 : token::u32, static_cast<std::int64_t>(random() % bits),
                  sign_extend(static_cast<std::int64_t>(random() >> random() % 64), static_cast<int>(bits)),
                  static_cast<std::int64_t>(random() % bits)};
    sketch s = shifted(w), plain = shifted(w);
    contract(s.f());
    drop_empty(s.f());
    for (int k = 0; k < 4; ++k) {
      const std::uint64_t x = random();
      CHECK(result(s.f(), x) == result(plain.f(), x));
    }
  }
}

#include <tg/ptx/passes/split_swizzles.hpp>

#include <doctest/doctest.h>

#include <random>

#include <tg/ptx/passes/fold_offsets.hpp>
#include <tg/ptx/passes/hoist_invariants.hpp>
#include <tg/ptx/passes/merge_equal.hpp>
#include <tg/ptx/passes/remove_dead.hpp>

#include "machine.hpp"
#include "sketch.hpp"

namespace {

using namespace tg::ptx;
using tg::ptx::test::machine;
using tg::ptx::test::sketch;

operand imm(std::int64_t value) { return sketch::imm(value); }
operand add(sketch& s, operand a, operand b) { return s.op(opcode::add, token::u32, {a, b}); }
operand shl(sketch& s, operand a, int by) { return s.op(opcode::shl, token::b32, {a, imm(by)}); }
operand lane_bits(sketch& s, int mask) {
  return s.op(opcode::and_, token::b32, {s.op(opcode::mov, token::u32, {operand::special(special::laneid)}), imm(mask)});
}

/// x ^ (x >> shift & mask)
operand swizzled(sketch& s, operand x, int shift, std::int64_t mask) {
  const operand high = s.op(opcode::shr, token::u32, {x, imm(shift)});
  return s.op(opcode::xor_, token::b32, {x, s.op(opcode::and_, token::b32, {high, imm(mask)})});
}

/// Reads two bytes times `index` behind `base`.
void access(sketch& s, operand base, operand index) {
  s.use(s.load(token::shared, token::u32, sketch::at(add(s, base, shl(s, index, 1)))));
}

void clean(sketch& s) {
  merge_equal(s.f());
  split_swizzles(s.f(), count_uses(s.f()));
  fold_offsets(s.f());
  merge_equal(s.f());
  remove_dead(s.f());
}

// Rows of 64 elements of two bytes, swizzle<3, 3, 3>: the tile of attention.
constexpr int shift = 3, mask = 7 << 3;

operand tile(sketch& s) { return s.op(opcode::mov, token::u32, {operand::named(operand_kind::variable, 1)}); }

}  // namespace

TEST_CASE("rows apart by whole periods share an address, columns apart by bits of their own one permutation") {
  sketch s;
  const operand base = tile(s), row = shl(s, lane_bits(s, 15), 6);
  access(s, base, swizzled(s, row, shift, mask));
  access(s, base, swizzled(s, add(s, row, imm(16 * 64)), shift, mask));
  access(s, base, swizzled(s, add(s, row, imm(32 * 64 + 16)), shift, mask));
  clean(s);
  CHECK(s.count(opcode::shr) == 1);
  CHECK(s.count(opcode::and_) == 2);  // the lane's too
  CHECK(s.count(opcode::xor_) == 2);
  CHECK(s.count(opcode::add) == 2);
  CHECK(s.text().find("+2048]") != std::string::npos);
  CHECK(s.text().find("+4096]") != std::string::npos);
}

TEST_CASE("a loop adds where its tile begins, and nothing else") {
  sketch s;
  const operand base = tile(s), row = shl(s, lane_bits(s, 15), 6), v = s.variable(token::u32);
  s.move(v, imm(0));
  s.loop();
  const operand stage = shl(s, s.read(v), 12);
  for (const int column : {0, 16, 32, 48}) access(s, base, swizzled(s, add(s, add(s, row, stage), imm(column)), shift, mask));
  s.move(v, add(s, s.read(v), imm(1)));
  s.endloop(s.set(token::lt, token::u32, s.read(v), imm(5)));
  clean(s);
  hoist_invariants(s.f());
  const std::string text = s.text();
  const std::string body = text.substr(text.find("loop"), text.find("endloop") - text.find("loop"));
  CHECK(body.find("xor") == std::string::npos);
  CHECK(body.find("shr") == std::string::npos);
  std::size_t adds = 0;
  for (auto at = body.find("add.u32"); at != body.npos; at = body.find("add.u32", at + 1)) ++adds;
  CHECK(adds == 5);  // one for each column and that of the counter
}

TEST_CASE("trap: what may carry stays inside") {
  sketch s;
  const operand base = tile(s), x = s.parameter(token::u32);
  access(s, base, swizzled(s, add(s, x, imm(16)), shift, mask));                            // any x
  access(s, base, swizzled(s, add(s, shl(s, lane_bits(s, 15), 4), imm(16)), shift, mask));  // the bit is taken
  const std::string before = s.text();
  split_swizzles(s.f(), count_uses(s.f()));
  CHECK(s.text() == before);
}

TEST_CASE("trap: shifts of signed numbers, other masks and other numbers are no swizzles") {
  sketch s;
  const operand base = tile(s), x = add(s, shl(s, lane_bits(s, 15), 6), imm(1024));
  const auto permuted = [&](token type, operand moved, std::int64_t picked) {
    const operand high = s.op(opcode::shr, type, {moved, imm(shift)});
    access(s, base, s.op(opcode::xor_, token::b32, {x, s.op(opcode::and_, token::b32, {high, imm(picked)})}));
  };
  permuted(token::s32, x, mask);
  permuted(token::u32, lane_bits(s, 31), mask);
  permuted(token::u32, x, -1);
  const std::string before = s.text();
  split_swizzles(s.f(), count_uses(s.f()));
  CHECK(s.text() == before);
}

TEST_CASE("random swizzled sums are read at the same places") {
  std::size_t split = 0;
  for (unsigned seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
    sketch s;
    const operand base = below(2) == 0 ? tile(s) : s.parameter(token::u32);
    const operand known[] = {lane_bits(s, 7), lane_bits(s, 24), s.parameter(token::u32), s.parameter(token::u32)};
    const operand v = s.variable(token::u32);
    s.move(v, imm(below(9)));
    s.loop();
    const operand counter = s.read(v);
    const int bits = 1 + below(5), base_bits = below(4), s_bits = bits + below(6);
    for (int n = 0; n < 4; ++n) {
      operand x = imm(below(2) == 0 ? below(1 << 14) : -below(1 << 14));
      for (int terms = 1 + below(4); terms > 0; --terms) {
        const operand from = below(4) == 0 ? counter : known[below(4)];
        const operand own =
            below(4) == 0 ? s.op(opcode::mul, token::lo, token::u32, {from, imm(below(5000))}) : shl(s, from, below(14));
        x = add(s, own, x);
      }
      access(s, base, swizzled(s, x, s_bits, ((std::int64_t{1} << bits) - 1) << base_bits));
    }
    s.move(v, add(s, s.read(v), imm(1)));
    s.endloop(s.set(token::lt, token::u32, s.read(v), imm(12)));
    merge_equal(s.f());
    const std::string before = s.text();
    const auto run = [&](std::uint64_t lane) {
      machine one{s.f(), lane, {0x1000, 0x12345678, 0x400}};
      one.run();
      return one.stores;
    };
    tg::dynamic_array<decltype(run(0))> wanted;
    for (std::uint64_t lane = 0; lane < 32; ++lane) wanted.push_back(run(lane));
    split_swizzles(s.f(), count_uses(s.f()));
    split += s.text() != before ? 1 : 0;
    for (std::uint64_t lane = 0; lane < 32; ++lane) CHECK(run(lane) == wanted[lane]);
    clean(s);
    for (std::uint64_t lane = 0; lane < 32; ++lane) CHECK(run(lane) == wanted[lane]);
  }
  CHECK(split > 100);
}

#include <tg/ptx/verify/unwritten_read.hpp>

#include <doctest/doctest.h>

#include <initializer_list>

#include <tg/ptx/ir/builder.hpp>

using namespace tg::ptx;

namespace {

/// A function that is written instruction by instruction; registers 0 to 7 are u32, 8 is a predicate.
struct written {
  tg::ptx::module m;

  written() {
    function& f = m.functions.emplace_back();
    for (int r = 0; r < 8; ++r) f.new_register(token::u32);
    f.new_register(token::pred);
    f.body.emplace_back(opcode::setp, list{token::eq, token::u32},
                        operands{operand::reg(8), operand::special(special::tid_x), operand::integer(0)});
  }
  using list = std::initializer_list<token>;
  using operands = std::initializer_list<operand>;

  written& set(std::uint32_t r) { return add(opcode::mov, {token::u32}, {operand::reg(r), operand::integer(1)}); }
  written& copy(std::uint32_t to, std::uint32_t from) {
    return add(opcode::mov, {token::u32}, {operand::reg(to), operand::reg(from)});
  }
  written& if_() { return add(opcode::if_, {}, {operand::reg(8)}); }
  written& else_() { return add(opcode::else_, {}, {}); }
  written& endif() { return add(opcode::endif, {}, {}); }
  written& loop() { return add(opcode::loop, {}, {}); }
  written& endloop() { return add(opcode::endloop, {}, {operand::reg(8)}); }
  written& add(opcode op, list tokens, operands o) {
    m.functions[0].body.emplace_back(op, tokens, o);
    return *this;
  }
  unwritten_read find() const { return find_unwritten_read(m.functions[0]); }
};

}  // namespace

TEST_CASE("a write in front of the read, in the same arm, in both arms or in a loop is seen") {
  CHECK(!written{}.set(0).copy(1, 0).find().is_found());
  CHECK(!written{}.if_().set(0).copy(1, 0).endif().find().is_found());
  CHECK(!written{}.if_().set(0).else_().set(0).endif().copy(1, 0).find().is_found());
  CHECK(!written{}.loop().set(0).endloop().copy(1, 0).find().is_found());
  CHECK(!written{}.set(0).if_().set(0).endif().copy(1, 0).find().is_found());
  CHECK(!written{}.if_().if_().set(0).else_().set(0).endif().else_().set(0).endif().copy(1, 0).find().is_found());
}

TEST_CASE("a read that some path reaches without a write is found, with both places") {
  const unwritten_read found = written{}.if_().set(0).endif().copy(1, 0).find();
  REQUIRE(found.is_found());
  CHECK(found.reg == 0);
  CHECK(found.definition == 2);
  CHECK(found.use == 4);
  const unwritten_read never = written{}.copy(1, 0).find();
  REQUIRE(never.is_found());
  CHECK(never.definition == no_index);
  CHECK(written{}.if_().set(0).else_().copy(1, 0).endif().find().is_found());
  CHECK(written{}.if_().set(0).else_().set(1).endif().copy(2, 0).find().is_found());
  CHECK(written{}.if_().set(0).endif().if_().copy(1, 0).endif().find().is_found());
  CHECK(written{}.loop().copy(1, 0).set(0).endloop().find().is_found());
  CHECK(written{}.if_().if_().set(0).else_().set(0).endif().endif().copy(1, 0).find().is_found());
  CHECK(written{}.if_().set(0).set(0).endif().copy(1, 0).find().is_found());
}

TEST_CASE("a guard and an address are reads") {
  written guarded;
  guarded.set(0);
  const std::uint32_t unset = guarded.m.functions[0].new_register(token::pred);
  guarded.m.functions[0].body.back().guard = unset;
  CHECK(guarded.find().reg == unset);
  written address;
  const std::uint32_t base = address.m.functions[0].new_register(token::u64);
  address.add(opcode::ld, {token::global, token::u32}, {operand::reg(0), operand::address(operand::reg(base), 4)});
  CHECK(address.find().reg == base);
}

TEST_CASE("sums to which a product is added are read, those that it overwrites are not") {
  for (const int keeps : {0, 1}) {
    written w;
    function& f = w.m.functions[0];
    const operand sums[] = {operand::reg(1), operand::reg(2)}, left[] = {operand::reg(3)};
    w.set(3).set(4);
    w.add(opcode::wgmma, {token::mma_async, token::f32},
          {f.new_vector(sums), f.new_vector(left), operand::reg(4), operand::integer(keeps)});
    CHECK(w.find().is_found() == (keeps != 0));
  }
}

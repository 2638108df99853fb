#include <tg/dsl/proof/instruction_questions.hpp>

#include <doctest/doctest.h>
#include <tg/ptx/ir/builder.hpp>

namespace pf = tg::proof;

namespace {

using tg::ptx::opcode;
using tg::ptx::operand;
using tg::ptx::token;

/// A module with a tile of 64 bytes and one instruction, and what is found when the threads below `end` come to it.
struct asked {
  tg::ptx::module m;
  tg::dynamic_array<pf::parameter_fact> none;

  asked(opcode op, std::initializer_list<token> tokens, std::initializer_list<operand> operands) {
    m.files.push_back("k.cpp");
    m.variables.push_back({.space = token::shared, .count = 64});
    m.functions.emplace_back();
    (void)m.functions[0].new_register(token::b64);
    tg::ptx::builder build(m, 0);
    build.emit(op, tokens, operands);
  }

  tg::dynamic_array<tg::finding> of(std::size_t end = 64) {
    pf::values v(m.functions[0], {64, 1, 1}, none);
    pf::ledger l(m, {64, 1, 1});
    pf::memory memory(v, l, m, none, {true, true, true});
    pf::path way;
    way.must = way.may = pf::first_threads(64);
    if (end < 64) {
      const auto here = v.predicates().known(pf::first_threads(end));
      way = way.with(v.predicates(), {here, true, {}});
    }
    v.come_by(way);
    pf::instruction_questions ask(v, l, memory, m.maps, way);
    ask(0, m.functions[0].body[0]);
    ask.judge_named_barriers();
    return l.take();
  }
};

}  // namespace

TEST_CASE("a barrier asks for all threads of the block, a vote for whole warps") {
  asked barrier(opcode::bar, {token::sync}, {operand::integer(0)});
  REQUIRE(barrier.of().size() == 1);
  CHECK(barrier.of()[0].answer == tg::answer::proved);
  CHECK(barrier.of(32)[0].answer == tg::answer::refuted);
  asked warp(opcode::bar, {token::warp, token::sync}, {operand::integer(-1)});
  REQUIRE(warp.of().size() == 1);
  CHECK(warp.of()[0].answer == tg::answer::proved);
  CHECK(warp.of(32)[0].answer == tg::answer::proved);
  CHECK(warp.of(40)[0].answer == tg::answer::refuted);
}

TEST_CASE("a barrier with a number of threads asks for that many") {
  asked barrier(opcode::bar, {token::sync}, {operand::integer(1), operand::integer(32)});
  CHECK(pf::instruction_questions::is_named(barrier.m.functions[0].body[0]));
  CHECK(barrier.of(32)[0].answer == tg::answer::proved);
  CHECK(barrier.of(40)[0].answer != tg::answer::proved);
}

TEST_CASE("an access asks for races and extents, and one in memory that is not known cannot be told") {
  const auto tile = operand::address(operand::named(tg::ptx::operand_kind::variable, 0));
  asked store(opcode::st, {token::shared, token::u32}, {tile, operand::integer(1)});
  const auto found = store.of();
  REQUIRE(found.size() == 2);
  CHECK(found[0].question == tg::question::shared_race);
  CHECK(found[0].answer == tg::answer::refuted);
  CHECK(found[1].question == tg::question::extents);
  CHECK(store.of(1)[0].answer == tg::answer::proved);
  asked generic(opcode::st, {token::u32}, {operand::address(operand::integer(4096)), operand::integer(1)});
  REQUIRE(generic.of().size() == 1);
  CHECK(generic.of()[0].answer == tg::answer::unknown);
}

TEST_CASE("nothing is proved of what a product reads by a descriptor that comes from data, nor of the tiles of other blocks") {
  const auto answers = [](const tg::dynamic_array<tg::finding>& all, tg::question q) {
    tg::dynamic_array<tg::answer> out;
    for (const tg::finding& f : all)
      if (f.question == q) out.push_back(f.answer);
    return out;
  };
  const tg::dynamic_array unknown{tg::answer::unknown}, proved{tg::answer::proved}, refuted{tg::answer::refuted};
  asked product(opcode::wgmma,
                {token::mma_async, token::sync, token::aligned, token::m64n8k16, token::f32, token::f16, token::f16},
                {operand::reg(0), operand::reg(0), operand::reg(0), operand::integer(1)});
  const auto tile = operand::address(operand::named(tg::ptx::operand_kind::variable, 0));
  asked store(opcode::st, {token::shared_cluster, token::u32}, {tile, operand::integer(1)});
  for (const auto q : {tg::question::shared_race, tg::question::initialized, tg::question::extents}) {
    CHECK(answers(product.of(128), q) == unknown);
    CHECK(answers(store.of(), q) == unknown);
  }
  CHECK(answers(product.of(128), tg::question::barrier) == proved);
  CHECK(answers(product.of(40), tg::question::barrier) == refuted);
}

TEST_CASE("a barrier of a cluster is proved where no branch leads") {
  asked arrive(opcode::barrier, {token::cluster, token::arrive, token::aligned}, {});
  CHECK_FALSE(pf::instruction_questions::is_named(arrive.m.functions[0].body[0]));
  REQUIRE(arrive.of().size() == 1);
  CHECK(arrive.of()[0].answer == tg::answer::proved);
  CHECK(arrive.of(32)[0].answer == tg::answer::refuted);
}

#include <tg/dsl/recorder/tape.hpp>

#include <tg/dsl/flow/for_.hpp>

#include "../recording.hpp"

TEST_CASE("what computed a value is known, of a variable nothing is") {
  recording::of([](auto, recording::parameters p) {
    auto& t = tg::detail::tracer::current();
    auto& tape = t.recorded();
    const auto sum = p.n + 1;
    REQUIRE(tape.definition_of(sum.operand.id) != nullptr);
    CHECK(tape.definition_of(sum.operand.id)->op == tg::ptx::opcode::add);
    const auto variable = t.new_register(tg::ptx::token::u32);
    t.emit(tg::ptx::opcode::mov, {tg::ptx::token::u32}, {variable, sum.operand});
    CHECK(tape.definition_of(variable.id) == nullptr);
    CHECK(tape.definition_of(t.new_register(tg::ptx::token::u32).id) == nullptr);
  });
}

TEST_CASE("parameters and loops leave what is known of them") {
  recording::of([](auto block, recording::parameters p) {
    const auto& tape = tg::detail::tracer::current().recorded();
    CHECK(tape.parameter_divisors.size() == 8);  // the matrix has its leading dimension
    CHECK(tape.block == tg::analysis::block_extent{256, 1, 1});
    tg::for_(tg::range(block.thread.x, p.n, tg::constant<256>{}), [&](auto) { (void)(p.a + p.a); });
    REQUIRE(tape.counters.size() == 1);
    CHECK(tape.counters[0].step == tg::ptx::operand::integer(256));
  });
}

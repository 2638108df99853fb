#include <tg/dsl/verdict/sibling_accesses.hpp>

#include <tg/dsl/value/let.hpp>
#include <tg/dsl/value/var.hpp>

#include "../recording.hpp"

using namespace tg::literals;

TEST_CASE("an index is a sum of registers and a constant") {
  recording::of([](auto block, recording::parameters p) {
    const auto i = tg::let(block.thread.x);
    auto& t = tg::detail::tracer::current().recorded();
    tg::detail::alike_registers alike(t);
    const auto of = [&](auto x) { return tg::detail::linear_sum(t, alike, tg::let(x).operand); };
    const auto first = of(i * 3_c + p.n), second = of((p.n + 2u) + (i + 1_c) * 3_c), third = of(i * 4_c + p.n);
    CHECK(first.terms == second.terms);
    CHECK(second.constant - first.constant == 5);
    CHECK(first.terms != third.terms);
    CHECK(of((i << 1_c) - i).terms == of(i + 0_c).terms);
  });
}

TEST_CASE("accesses of one line of statements that differ by constants are a group") {
  recording::of([](auto block, recording::parameters p) {
    const auto i = tg::let(block.thread.x * 3_c);
    (void)p.x(i);
    (void)p.x(i + 1_c);
    (void)p.x(i * 2_c);
    (void)p.x(i + 2_c);
    block.sync();
    (void)p.x(i);
    (void)p.x(i + 1_c);
    (void)p.x(i + 2_c);
    (void)p.x(i * 2_c + 1_c);
    (void)p.x(i * 2_c, tg::allow<tg::TG202>("a test"));
    auto& t = tg::detail::tracer::current().recorded();
    const auto groups = tg::detail::sibling_accesses(t, tg::detail::recorded_flow(t));
    REQUIRE(groups.size() == 4);
    CHECK(groups[0].members.size() == 3);
    CHECK(groups[1].members.size() == 1);
    CHECK(groups[2].members.size() == 3);
    const auto lanes = tg::detail::traced_index(t, 0)(i.operand);
    CHECK(tg::detail::fills_sectors(groups[0], lanes, t.open, tg::analysis::all_lanes));
    auto two = groups[0];
    two.members.pop_back();
    CHECK_FALSE(tg::detail::fills_sectors(two, lanes, t.open, tg::analysis::all_lanes));
    t.open.clear();
    for (auto& a : t.accesses) a.open = 0;
  });
}

TEST_CASE("what is recorded twice is one number, what only looks like it is another") {
  recording::of([](auto block, recording::parameters p) {
    using tg::ptx::opcode;
    using tg::ptx::operand;
    using tg::ptx::token;
    auto& now = tg::detail::tracer::current();
    auto& t = now.recorded();
    const auto field = [&](const operand& of, long long mask) {
      return now.compute(token::b32, opcode::and_, {token::b32}, {of, operand::integer(mask)}).id;
    };
    const operand lane = tg::let(block.thread.x).operand, n = tg::let(p.n + 0_c).operand;
    const auto first = field(lane, 3), wider = field(lane, 7), other = field(n, 3), deep = field(operand::reg(first), 1);
    for (int k = 1; k < 20000; ++k) (void)field(lane, 1024 + k);  // so many that the recorder forgets the first ones
    const auto again = field(lane, 3), deep_again = field(operand::reg(again), 1);
    REQUIRE(again != first);
    tg::detail::alike_registers alike(t);
    CHECK(alike.first_of(first) == first);
    CHECK(alike.first_of(again) == first);
    CHECK(alike.first_of(wider) == wider);
    CHECK(alike.first_of(other) == other);
    CHECK(alike.first_of(deep) == deep);
    CHECK(alike.first_of(deep_again) == deep);
    const tg::var<unsigned> x(1u), y(1u);  // they may be assigned
    CHECK(alike.first_of(x.target().id) == x.target().id);
    CHECK(alike.first_of(y.target().id) == y.target().id);
  });
}

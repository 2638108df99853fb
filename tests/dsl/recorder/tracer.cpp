#include <tg/dsl/recorder/tracer.hpp>

#include <tg/dsl/flow/break_.hpp>
#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/flow/if_.hpp>
#include <tg/dsl/value/var.hpp>

#include "../recording.hpp"

TEST_CASE("TG121 for a device value outside a kernel, with the line") {
  const int line = __LINE__ + 2;
  try {
    const tg::var<float> v(0.0f);
    (void)v;
    FAIL("a variable without a kernel");
  } catch (const tg::error& e) {
    CHECK(e.number() == 121);
    CHECK(e.where().line == line);
  }
}

TEST_CASE("a value that outlives its kernel cannot be used") {
  tg::value<unsigned> kept{tg::ptx::operand{}};
  recording::of([&](auto, recording::parameters p) { kept.operand = p.n.get().operand; });
  CHECK_THROWS_AS((void)(kept + 1), tg::error);
}

TEST_CASE("an instruction is taken back, and another operand is given to the last one") {
  const auto r = recording::of([](auto, recording::parameters p) {
    auto& t = tg::detail::tracer::current();
    const auto sum = p.n + 1;
    t.emit(tg::ptx::opcode::mov, {tg::ptx::token::u32}, {sum.operand, sum.operand});
    t.take_back();
    t.emit(tg::ptx::opcode::bar, {tg::ptx::token::warp, tg::ptx::token::sync}, {});
    t.append(tg::ptx::operand::integer(-1));
    CHECK(t.recorded().fn().body.back().operand_count == 1);
  });
  CHECK(r.text == "add.u32 bar.warp.sync");
}

TEST_CASE("recording ends when a kernel throws") {
  CHECK_THROWS(recording::of([](auto, recording::parameters) { throw 1; }));
  CHECK_THROWS_AS((void)tg::var<float>(0.0f), tg::error);
}

TEST_CASE("a jump is a branch around the rest of the body") {
  CHECK(recording::of([](auto, recording::parameters p) {
          tg::for_(tg::range(p.n), [&](auto j) {
            tg::if_(j > 3u, [] { tg::continue_(); });
            (void)(p.a * p.a);
          });
        }).text ==
        "mov.u32 setp.lt.u32 <if> <loop> mov.u32 setp.gt.u32 <if> <else> mul.f32 <endif> mov.u32 add.u32 setp.lt.u32 mov.u32 "
        "<endloop> <endif>");
}

TEST_CASE("the predicate of a loop is true where its body begins") {
  CHECK(recording::of([](auto, recording::parameters p) {
          tg::for_(tg::range(p.n), [&](auto j) {
            tg::if_(j > 3u, [] { tg::break_(); });
            (void)(p.a * p.a);
          });
        }).text ==
        "mov.u32 setp.lt.u32 <if> <loop> setp.ne.u32 mov.u32 setp.gt.u32 <if> setp.ne.u32 mov.pred <else> mul.f32 <endif> "
        "mov.pred mov.u32 add.u32 setp.lt.u32 and.pred mov.u32 <endloop> <endif>");
}

TEST_CASE("operations are recorded as instructions, and an equal one is not recorded again") {
  using tg::ptx::operand;
  using tg::ptx::operation;
  using tg::ptx::token;
  const auto r = recording::of([](auto, recording::parameters p) {
    auto& t = tg::detail::tracer::current();
    const operand n = p.n.get().operand;
    const operand sum = t.compute(token::b32, operation::add(token::u32), {n, operand::integer(1)});
    CHECK(t.compute(token::b32, tg::ptx::opcode::add, {token::u32}, {n, operand::integer(1)}) == sum);
    const operand at = t.compute(token::b64, operation::convert(token::u64, token::u32), {sum});
    const operand loaded = t.load(token::b32, {token::global, token::u32}, operand::address(at));
    t.store({token::global, token::u32}, operand::address(at), loaded);
    t.load({token::shared, token::u32}, t.new_register(token::b32), operand::address(sum), {});
    t.store({token::shared, token::u32}, operand::address(sum), loaded, {});
    CHECK(t.recorded().fn().body.back().access + 1 == t.recorded().accesses.size());
    CHECK(t.recorded().effects == 2);
  });
  CHECK(r.text == "add.u32 cvt.u64.u32 ld.global.u32 st.global.u32 ld.shared.u32 st.shared.u32");
}

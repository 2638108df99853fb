#include <tg/dsl/tracer.hpp>

#include <tg/dsl/var.hpp>

#include "recording.hpp"

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

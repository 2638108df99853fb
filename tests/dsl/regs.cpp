#include <tg/dsl/regs.hpp>

#include "recording.hpp"

using namespace tg::literals;

TEST_CASE("each register is its own, and indices cost nothing") {
  CHECK(recording::of([](auto, recording::parameters p) {
          tg::regs<float, 2, 2> r = 0.0f;
          r(1_c, 0_c) = p.a;
          for (int i = 0; i < 2; ++i) r(i, i) += r(1, 0);  // of r(1, 0) it is known what it holds
          tg::if_(p.n < 3, [&] { (void)(p.a + p.a); });
        }).text ==
        "mov.f32 mov.f32 mov.f32 mov.f32 mov.f32 add.f32 mov.f32 add.f32 setp.lt.u32 mov.f32 mov.f32 mov.f32 <if> "
        "add.f32 <endif>");
  recording::of([](auto, recording::parameters) {
    tg::regs<float, 2, 3> r = 0.0f;
    CHECK(&r(1, 0) != &r(0, 1));
    CHECK(&r(1, 2) == &r(1_c, 2_c));
  });
}

TEST_CASE("TG119 for a C++ index outside") {
  const auto written = [](int index) {
    return [index](auto, recording::parameters) {
      tg::regs<float, 4> r = 0.0f;
      r(index) = 1.0f;
    };
  };
  const int line = __LINE__ - 4;
  CHECK(recording::error_of(written(4)) == recording::at(119, line));
  CHECK(recording::error_of(written(-1)) == recording::at(119, line));
  CHECK(recording::error_of(written(3)) == "none");
}

TEST_CASE("neighbouring registers are a vector, which ends where they do") {
  const auto r = recording::of<tg::block_t<32>>([](auto block, recording::parameters p) {
    tg::regs<float, 2, 6> sum = 0.0f;
    p.y.template vec<4>(block.thread.x * 4_c) = sum.template vec<4>(1_c, 2_c);
  });
  const auto& stored = r.module.functions[0].body;
  REQUIRE(r.text.ends_with(
      "mov.f32 mov.f32 mov.f32 mov.f32 mul.lo.u32 mul.wide.u32 add.s64 ld.global.v4.f32 st.global.v4.f32"));
  // The twelve registers are set first, then registers 8 to 11 are read.
  std::vector<std::uint32_t> set, read;
  for (const auto& i : stored)
    if (i.op == tg::ptx::opcode::mov && i.tokens()[0] == tg::ptx::token::f32)
      (i[1].is_reg() ? read : set).push_back(i[i[1].is_reg()].id);
  CHECK(read == std::vector(set.begin() + 8, set.end()));
  const auto taken = [](int at) {
    return [at](auto, recording::parameters) {
      tg::regs<float, 2, 6> sum = 0.0f;
      (void)sum.vec<4>(0, at);
    };
  };
  const int line = __LINE__ - 4;
  CHECK(recording::error_of(taken(3)) == recording::at(119, line));
  CHECK(recording::error_of(taken(2)) == "none");
}

#include <tg/dsl/vector/regs.hpp>

#include "../accuracy.hpp"
#include "../recording.hpp"

using namespace tg::literals;

TEST_CASE("each register is its own, and indices cost nothing") {
  CHECK(recording::of([](auto, recording::parameters p) {
          tg::regs<float, 2, 2> r = 0.0f;
          r(1_c, 0_c) = p.a;
          for (int i = 0; i < 2; ++i) r(i, i) += r(1, 0);  // of r(1, 0) it is known what it holds
          tg::if_(p.n < 3, [&] { (void)(p.a + p.a); });
        }).text == "mov.f32 mov.f32 mov.f32 mov.f32 mov.f32 add.f32 mov.f32 add.f32 setp.lt.u32 mov.f32 mov.f32 mov.f32 <if> "
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
  REQUIRE(
      r.text.ends_with("mov.f32 mov.f32 mov.f32 mov.f32 mul.lo.u32 mul.wide.u32 add.s64 ld.global.v4.f32 st.global.v4.f32"));
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

TEST_CASE("a register by a number that lanes compute") {
  using u32 = std::uint32_t;
  std::vector<u32> x;
  for (u32 k = 0; k < 60; ++k) x.push_back(k);
  const auto y = accuracy::apply<u32>(
      [](auto v) {
        tg::regs<unsigned, 5> r = 0u;
        for (int k = 0; k < 5; ++k) r(k) = v * static_cast<unsigned>(k + 1);
        r.set_at(1000u, v % 7u);  // 5 and 6 are outside
        tg::regs<unsigned, 2, 3> m = 0u;
        for (int k = 0; k < 6; ++k) m(k / 3, k % 3) = static_cast<unsigned>(k);
        return r.at(v % 5u) + r.at(2) + 100000u * m.at(v & 1u, v % 3u);
      },
      x);
  for (const u32 v : x) {
    u32 r[5], m[2][3];
    for (u32 k = 0; k < 5; ++k) r[k] = v * (k + 1);
    for (u32 k = 0; k < 6; ++k) m[k / 3][k % 3] = k;
    if (v % 7 < 5) r[v % 7] = 1000;
    CAPTURE(v);
    CHECK(y[v] == r[v % 5] + r[2] + 100000 * m[v & 1][v % 3]);
  }
}

TEST_CASE("one of eight registers costs seven selects and three tests") {
  std::string text = recording::of([](auto, recording::parameters p) {
                       tg::regs<float, 8> r = p.a;
                       (void)r.at(p.n);
                     }).text;
  std::size_t selects = 0, tests = 0;
  for (std::size_t at = 0; (at = text.find("selp", at)) != std::string::npos; ++at) ++selects;
  for (std::size_t at = 0; (at = text.find("setp", at)) != std::string::npos; ++at) ++tests;
  CHECK(selects == 7);
  CHECK(tests == 3);
}

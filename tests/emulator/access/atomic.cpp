#include <tg/emulator/access/atomic.hpp>

#include <doctest/doctest.h>

#include "../runner.hpp"

namespace {

using namespace runner;

/// Memory after 64 threads ran `body` with %rd0 at the start of it.
words after(const std::string& body, words start) {
  bench b(kernel_text("mov.u32 %r0, %tid.x; cvt.u64.u32 %rd9, %r0; " + body));
  const std::uint64_t at = b.upload(start);
  b.run({{2}, {32}}, {at});
  return b.download<std::uint64_t>(at, start.size());
}

}  // namespace

TEST_CASE("atomic sums of halves, alone, in pairs and in vectors") {
  CHECK_EQ(after("mov.b16 %h1, 0x3c00; red.global.add.noftz.f16 [%rd0+2], %h1;", {0, 0})[0], 0x54000000);  // 64.0
  CHECK_EQ(after("mov.b32 %r1, 0x3f804000; red.global.add.noftz.bf16x2 [%rd0], %r1;", {0, 0})[0], 0x42804300);
  CHECK_EQ(after("mov.b32 %r1, 0x3c004000; mov.b32 %r2, 0; atom.global.add.noftz.v2.f16x2 {%r3, %r4}, [%rd0], {%r1, %r2};",
                 {0, 0})[0],
           0x54005800);
  CHECK_EQ(after("mov.f32 %f1, 0f3F800000; mov.f32 %f2, 0f40000000; red.global.add.v2.f32 [%rd0], {%f1, %f2};", {0, 0})[0],
           0x4300000042800000);
}

TEST_CASE("16 and 128 bits are compared and exchanged") {
  CHECK_EQ(after("cvt.u16.u64 %h1, %rd9; add.s16 %h2, %h1, 1; atom.global.cas.b16 %h3, [%rd0+2], %h1, %h2;", {0, 0})[0] >> 16,
           32);
  const std::string quad = "{.reg .b128 %q<4>; add.u64 %rd8, %rd9, 1; mov.b128 %q0, {%rd9, %rd9}; mov.b128 %q1, {%rd8, %rd8};"
                           "atom.global.cas.b128 %q2, [%rd0], %q0, %q1;}";
  const words got = after(quad, {0, 0});
  CHECK_EQ(got[0], 32);
  CHECK_EQ(got[1], 32);
  CHECK_EQ(after(quad, {0, 1})[0], 0);
  CHECK_EQ(after("{.reg .b128 %q<2>; mov.b128 %q0, {7, 9}; atom.global.exch.b128 _, [%rd0], %q0; ld.global.b128 %q1, [%rd0];"
                 "st.global.b128 [%rd0+16], %q1;}",
                 {1, 2, 3, 4}),
           words{7, 9, 7, 9});
}

TEST_CASE("a vector of atomics is aligned as a whole") {
  const auto failing = [](const std::string& body) { return failure_of(kernel_text(body), {{1}, {1}}); };
  for (const std::string op : {"red.global.add.v2.f32 [%rd0+", "red.global.add.noftz.v4.f16 [%rd0+"}) {
    const std::string values = op.find("v4") == std::string::npos ? "], {%f1, %f2};" : "], {%h1, %h2, %h3, %h4};";
    CHECK_EQ(failing(op + "8" + values), "");
    const std::string said = failing(op + "4" + values);
    CHECK(has(said, "TG403"));
    CHECK(has(said, "4 bytes past a multiple of 8"));
  }
  CHECK(has(failing("atom.global.add.v4.f32 {%f1, %f2, %f3, %f4}, [%rd0+8], {%f5, %f6, %f7, %f8};"), "a multiple of 16"));
  CHECK(has(failing("red.global.add.f64 [%rd0+4], %fd1;"), "a multiple of 8"));
  CHECK_EQ(failing("red.global.add.f64 [%rd0+8], %fd1;"), "");
}

#include <tg/emulator/decode/decode_control.hpp>

#include <doctest/doctest.h>

#include "../runner.hpp"

namespace {

using namespace runner;

/// Each of `threads` threads stores %r20, computed by `body` from its number in %r0.
std::vector<std::uint32_t> per_thread(const std::string& body, std::uint32_t threads, const std::string& before = "") {
  bench b(kernel_text(
      "mov.u32 %r0, %tid.x;\n" + body + "\nmul.wide.u32 %rd4, %r0, 4; add.u64 %rd4, %rd1, %rd4; st.global.u32 [%rd4], %r20;",
      before));
  const std::uint64_t out = b.upload(std::vector<std::uint32_t>(threads, 0xdddddddd));
  b.run({{1}, {threads}}, {out, out});
  return b.download<std::uint32_t>(out, threads);
}

}  // namespace

TEST_CASE("a call copies arguments and results, and returns to each caller") {
  const std::string before = R"(
    .func (.param .b32 result) weigh(.param .b32 a, .param .align 8 .b8 pair[16]) {
      .reg .b32 %r<6>; .reg .b64 %rd<3>; .reg .pred %p<2>;
      ld.param.u32 %r0, [a]; ld.param.u64 %rd0, [pair+8]; cvt.u32.u64 %r1, %rd0; ld.param.u32 %r3, [pair];
      setp.gt.u32 %p0, %r0, 40; @%p0 bra big;
      mad.lo.u32 %r2, %r0, %r1, %r3; st.param.b32 [result], %r2; ret;
      big: st.param.b32 [result], 7; ret;
    }
    .func (.param .b32 out) twice(.param .b32 a) {
      .reg .b32 %r<4>;
      ld.param.u32 %r0, [a];
      { .param .b32 x; .param .align 8 .b8 y[16]; .param .b32 z; st.param.b32 [x], %r0; st.param.b32 [y], 5; st.param.b64 [y+8], 100;
        call.uni (z), weigh, (x, y); ld.param.b32 %r1, [z]; }
      add.u32 %r2, %r1, %r1; st.param.b32 [out], %r2; ret;
    }
  )";
  const auto got = per_thread(R"(
    { .param .b32 x; .param .b32 z; st.param.b32 [x], %r0; call.uni (z), twice, (x); ld.param.b32 %r20, [z]; }
    setp.lt.u32 %p1, %r0, 10;
    { .param .b32 x; .param .b32 z; st.param.b32 [x], 1; @%p1 call (z), twice, (x); ld.param.b32 %r21, [z]; @%p1 mov.u32 %r20, %r21; }
  )",
                              64, before);
  for (std::uint32_t i = 0; i < 64; ++i) CHECK_EQ(got[i], i < 10 ? 210 : i > 40 ? 14 : 2 * (100 * i + 5));
}

TEST_CASE("calls of undefined functions are refused") {
  const std::string missing = failure([] { bench b(kernel_text("call f;", ".extern .func f;\n")); });
  CHECK(has(missing, "TG401"));
  CHECK(has(missing, "'f'"));
}

TEST_CASE("what the emulator does not run is refused at load") {
  const std::string text = failure([] { bench b(kernel_text("mov.u32 %r0, %pm0;")); });
  CHECK(has(text, "TG400"));
  CHECK(has(text, "'mov.u32'"));
  CHECK(has(text, "PTX line 9"));
  CHECK(has(text, "use another form"));
}

TEST_CASE("special registers say where a thread is") {
  bench b(kernel_text(R"(
    mov.u32 %r0, %tid.x; mov.u32 %r1, %tid.y; mov.u32 %r2, %tid.z; mov.u32 %r3, %ntid.x; mov.u32 %r4, %ntid.y;
    mad.lo.u32 %r5, %r2, %r4, %r1; mad.lo.u32 %r5, %r5, %r3, %r0;          // linear number
    mov.u32 %r6, %ctaid.x; mov.u32 %r7, %ctaid.y; mov.u32 %r8, %nctaid.x; mad.lo.u32 %r9, %r7, %r8, %r6;
    mad.lo.u32 %r10, %r9, 48, %r5; mul.wide.u32 %rd4, %r10, 32; add.u64 %rd4, %rd4, %rd0;
    mov.u32 %r11, %laneid; mov.u32 %r12, %warpid; mov.u32 %r13, %lanemask_lt; mov.u32 %r14, %lanemask_ge; cvt.u32.u64 %r15, %rd0;
    st.global.v4.u32 [%rd4], {%r11, %r12, %r13, %r14}; mov.u32 %r16, %nctaid.y; mov.u32 %r17, %ntid.z; mov.u32 %r18, %nwarpid;
    st.global.v4.u32 [%rd4+16], {%r16, %r17, %r18, %r10};
  )"));
  const std::uint64_t out = b.upload(std::vector<std::uint32_t>(6 * 48 * 8));
  b.run({{3, 2}, {4, 3, 4}}, {out});
  const auto got = b.download<std::uint32_t>(out, 6 * 48 * 8);
  int wrong = 0;
  for (std::uint32_t t = 0; t < 6 * 48; ++t) {
    const std::uint32_t lane = t % 48 % 32, want[] = {lane, t % 48 / 32, (1u << lane) - 1, ~((1u << lane) - 1), 2, 4, 2, t};
    for (std::uint32_t k = 0; k < 8; ++k) wrong += got[8 * t + k] != want[k];
  }
  CHECK_EQ(wrong, 0);
}

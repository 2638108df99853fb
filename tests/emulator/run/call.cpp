#include <tg/emulator/run/call.hpp>

#include <doctest/doctest.h>

#include "../runner.hpp"

namespace {

using namespace runner;

// Each thread's index in %r0, its word of p0 at [%rd4].
const char* const thread_word = "mov.u32 %r0, %tid.x; mul.wide.u32 %rd4, %r0, 4; add.u64 %rd4, %rd0, %rd4;\n";

const char* const fibonacci = R"(
.func (.param .b32 r) fib(.param .b32 n) {
  .reg .b32 %n<9>; .reg .pred %p;
  ld.param.b32 %n1, [n];
  setp.lt.u32 %p, %n1, 2;
  mov.u32 %n2, %n1;
  @%p bra done;
  sub.u32 %n3, %n1, 1;
  { .param .b32 a; .param .b32 v; st.param.b32 [a], %n3; call (v), fib, (a); ld.param.b32 %n4, [v]; }
  sub.u32 %n5, %n1, 2;
  { .param .b32 a; .param .b32 v; st.param.b32 [a], %n5; call (v), fib, (a); ld.param.b32 %n6, [v]; }
  add.u32 %n2, %n4, %n6;
done:
  st.param.b32 [r], %n2;
  ret;
}
)";

std::vector<std::uint32_t> words_of(const std::string& text, std::uint32_t threads, const options& how = {},
                                    std::uint32_t blocks = 1) {
  bench b(text);
  const std::uint64_t out = b.upload(std::vector<std::uint32_t>(threads));
  b.run({{blocks}, {threads}}, {out}, how);
  return b.download<std::uint32_t>(out, threads);
}

}  // namespace

TEST_CASE("a function calls itself, each thread as deep as it needs") {
  const std::string text = kernel_text(std::string(thread_word) + R"(
    rem.u32 %r1, %r0, 12;
    { .param .b32 a; .param .b32 v; st.param.b32 [a], %r1; call (v), fib, (a); ld.param.b32 %r2, [v]; }
    st.global.u32 [%rd4], %r2;)",
                                       fibonacci);
  const std::uint32_t expected[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
  for (const std::uint64_t seed : {0, 1, 7}) {
    options how;
    how.seed = seed;
    const auto got = words_of(text, 96, how, 2);
    for (std::uint32_t t = 0; t < 96; ++t) CHECK_EQ(got[t], expected[t % 12]);
  }
}

TEST_CASE("functions that call each other keep their registers and local arrays apart") {
  // even(n): fills an array of its own, calls odd(n - 1), and adds up the array behind the call.
  const std::string both = [] {
    std::string out = ".func (.param .b32 r) odd(.param .b32 n);\n";
    for (const auto& [own, other] : {std::pair("even", "odd"), std::pair("odd", "even")})
      out += std::string(".func (.param .b32 r) ") + own + R"((.param .b32 n) {
        .reg .b32 %n<9>; .reg .pred %p; .local .b32 mine[4];
        ld.param.b32 %n1, [n];
        st.local.b32 [mine+4], %n1;
        setp.eq.u32 %p, %n1, 0;
        mov.u32 %n2, 0;
        sub.u32 %n3, %n1, 1;
        { .param .b32 a; .param .b32 v; st.param.b32 [a], %n3; @!%p call (v), )" +
             other + R"(, (a); ld.param.b32 %n5, [v]; @!%p mov.u32 %n2, %n5; }
        ld.local.b32 %n4, [mine+4];
        add.u32 %n2, %n2, %n4;
        st.param.b32 [r], %n2;
      })";
    return out;
  }();
  const auto got = words_of(
      kernel_text(std::string(thread_word) + "{ .param .b32 a; .param .b32 v; st.param.b32 [a], %r0; call (v), even, (a); "
                                             "ld.param.b32 %r2, [v]; } st.global.u32 [%rd4], %r2;",
                  both),
      64);
  for (std::uint32_t t = 0; t < 64; ++t) CHECK_EQ(got[t], t * (t + 1) / 2);
}

TEST_CASE("a recursion without end overflows the stack") {
  const char* const endless = ".func f(.param .b32 x) { .local .b8 room[1000]; .reg .b32 %r<2>; "
                              "{ .param .b32 p; st.param.b32 [p], %r1; call f, (p); } ret; }";
  const std::string text = kernel_text("{ .param .b32 p; st.param.b32 [p], 1; call f, (p); }", endless);
  const std::string failure = failure_of(text, {{1}, {32}});
  CHECK(has(failure, "TG467"));
  CHECK(has(failure, "stack overflow"));
  CHECK(has(failure, "kernel 'k'"));
  CHECK(has(failure, "65536"));
  options how;
  how.stack_bytes = 4000;
  CHECK(has(failure_of(text, {{1}, {32}}, 64, how), " 4000 "));
}

TEST_CASE("pointers to functions come from tables, and lanes of a warp may go to different ones") {
  const char* const functions = R"(
    .func (.param .b32 r) twice(.param .b32 x) { .reg .b32 %n; ld.param.b32 %n, [x]; add.u32 %n, %n, %n; st.param.b32 [r], %n; ret; }
    .func (.param .b32 r) plus5(.param .b32 x) { .reg .b32 %n; ld.param.b32 %n, [x]; add.u32 %n, %n, 5; st.param.b32 [r], %n; ret; }
    .func (.param .b32 r) other(.param .b64 x) { ret; }
    .func (.param .b32 r) alias(.param .b32 x); .alias alias, plus5;
    .global .u64 table[3] = {twice, plus5, alias}; .const .u64 fixed[2] = {plus5, other};)";
  const std::string call =
      "{ .param .b32 a; .param .b32 v; st.param.b32 [a], %r0; p: .callprototype (.param .b32 _) _ (.param .b32 _); "
      "call (v), %rd6, (a), p; ld.param.b32 %r2, [v]; } st.global.u32 [%rd4], %r2;";
  const auto got = words_of(kernel_text(std::string(thread_word) +
                                            "rem.u32 %r1, %r0, 3; mul.wide.u32 %rd5, %r1, 8; mov.u64 %rd6, table; "
                                            "add.u64 %rd5, %rd5, %rd6; ld.global.u64 %rd6, [%rd5];" +
                                            call,
                                        functions),
                            64);
  for (std::uint32_t t = 0; t < 64; ++t) CHECK_EQ(got[t], t % 3 == 0 ? 2 * t : t + 5);
  CHECK_EQ(words_of(kernel_text(std::string(thread_word) + "ld.const.u64 %rd6, [fixed];" + call, functions), 32)[3], 8);
  CHECK_EQ(words_of(kernel_text(std::string(thread_word) + "mov.u64 %rd6, twice;" + call, functions), 32)[3], 6);

  const auto fails = [&](const char* address) {
    return failure_of(kernel_text(std::string(thread_word) + address + call, functions), {{1}, {32}});
  };
  CHECK(has(fails("mov.u64 %rd6, 0;"), "TG465"));
  CHECK(has(fails("mov.u64 %rd6, 0;"), "null pointer"));
  CHECK(has(fails("mov.u64 %rd6, 1234;"), "no function"));
  CHECK(has(fails("mov.u64 %rd6, %rd0;"), "no function"));
  CHECK(has(fails("ld.const.u64 %rd6, [fixed+8];"), "'other', which has other parameters"));
}

TEST_CASE("a list of functions or a table of them is as good as a prototype") {
  const char* const functions = R"(
    .func (.param .b32 r) one(.param .b32 x) { st.param.b32 [r], 1; ret; }
    .func (.param .b32 r) two(.param .b32 x) { st.param.b32 [r], 2; ret; }
    .global .u64 both[2] = {one, two};)";
  for (const char* const list : {"here", "both"}) {
    const auto got = words_of(kernel_text(std::string(thread_word) +
                                              "and.b32 %r1, %r0, 1; setp.eq.u32 %p1, %r1, 0; mov.u64 %rd6, one; "
                                              "mov.u64 %rd7, two; selp.b64 %rd6, %rd6, %rd7, %p1; "
                                              "here: .calltargets one, two; call (%r2), %rd6, (%r0), " +
                                              list + "; st.global.u32 [%rd4], %r2;",
                                          functions),
                              32);
    for (std::uint32_t t = 0; t < 32; ++t) CHECK_EQ(got[t], 1 + t % 2);
  }
}

TEST_CASE("calls take registers and numbers, structures, narrow values, and parameters in registers") {
  const char* const functions = R"(
    .func (.reg .u32 %out) old(.reg .u32 %in, .reg .f64 d) {
      .reg .pred p; .reg .u32 t;
      setp.gt.u32 p, %in, 3;
      cvt.rzi.u32.f64 t, d;
      add.u32 %out, %in, t;
      @p ret;
      mul.lo.u32 %out, %out, 100;
    }
    .func (.param .align 8 .b8 r[24]) pass(.param .align 8 .b8 s[24], .param .b16 h) {
      .reg .b64 %x; .reg .b16 %h;
      ld.param.b64 %x, [s+16]; st.param.b64 [r+8], %x;
      ld.param.b16 %h, [h]; st.param.b16 [r], %h; ret;
    })";
  const auto got = words_of(kernel_text(std::string(thread_word) + R"(
    call (%r1), old, (%r0, 0d4000000000000000);
    { .param .align 8 .b8 s[24]; .param .align 8 .b8 r[24]; .param .b16 h;
      mul.wide.u32 %rd5, %r0, 10; st.param.b64 [s+16], %rd5; cvt.u16.u32 %h1, %r0; st.param.b16 [h], %h1;
      call (r), pass, (s, h);
      ld.param.b32 %r2, [r+8]; ld.param.u16 %h2, [r]; cvt.u32.u16 %r3, %h2; }
    mad.lo.u32 %r2, %r2, 1000, %r3;
    mad.lo.u32 %r1, %r1, 1000000, %r2;
    st.global.u32 [%rd4], %r1;)",
                                        functions),
                            32);
  for (std::uint32_t t = 0; t < 32; ++t) CHECK_EQ(got[t], (t > 3 ? t + 2 : (t + 2) * 100) * 1000000 + 10 * t * 1000 + t);
}

TEST_CASE("a branch through a table goes where the index says, and nowhere past its end") {
  const std::string body = std::string(thread_word) + R"(
    and.b32 %r1, %r0, MASK;
    targets: .branchtargets A, B, C;
    setp.lt.u32 %p1, %r0, 30;
    mov.u32 %r2, 9;
    @%p1 brx.idx %r1, targets;
    bra end;
 A: mov.u32 %r2, 10; bra end;
 B: mov.u32 %r2, 11; bra end;
 C: mov.u32 %r2, 12;
 end: st.global.u32 [%rd4], %r2;)";
  const auto with = [&](const char* mask) {
    std::string out = body;
    return kernel_text(out.replace(out.find("MASK"), 4, mask));
  };
  const auto got = words_of(with("1"), 32);
  for (std::uint32_t t = 0; t < 32; ++t) CHECK_EQ(got[t], t >= 30 ? 9 : 10 + t % 2);
  const std::string failure = failure_of(with("3"), {{1}, {32}});
  CHECK(has(failure, "TG469"));
  CHECK(has(failure, "index 3, its table has 3 labels"));
  CHECK(has(failure, "thread (3, 0, 0)"));
}

TEST_CASE("alloca gives each thread memory of its own until the function returns") {
  const char* const sum = R"(
    .func (.param .b32 r) sum(.param .b32 n) {
      .reg .b32 %n<9>; .reg .b64 %d<9>; .reg .pred %p;
      ld.param.b32 %n1, [n];
      mul.wide.u32 %d1, %n1, 4;
      stacksave.u64 %d5;
      alloca.u64 %d2, %d1, 32;
      and.b64 %d3, %d2, 31;
      cvt.u32.u64 %n5, %d3;
      mov.u32 %n2, 0;
   fill: setp.ge.u32 %p, %n2, %n1; @%p bra filled;
      mul.wide.u32 %d4, %n2, 4; add.u64 %d4, %d4, %d2; st.local.u32 [%d4], %n2; add.u32 %n2, %n2, 1; bra fill;
   filled: mov.u32 %n3, %n5;
   add: setp.eq.u32 %p, %n2, 0; @%p bra end;
      sub.u32 %n2, %n2, 1; mul.wide.u32 %d4, %n2, 4; add.u64 %d4, %d4, %d2; ld.local.u32 %n4, [%d4]; add.u32 %n3, %n3, %n4; bra add;
   end: stackrestore.u64 %d5; st.param.b32 [r], %n3; ret;
    })";
  const std::string text = kernel_text(std::string(thread_word) + R"(
    mov.u32 %r3, 0;
 again: call (%r2), sum, (%r0);
    add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 2000; @%p1 bra again;
    st.global.u32 [%rd4], %r2;)",
                                       sum);
  const auto got = words_of(text, 40);
  for (std::uint32_t t = 0; t < 40; ++t) CHECK_EQ(got[t], t * (t == 0 ? 0 : t - 1) / 2);
  CHECK(has(failure_of(kernel_text("mov.u64 %rd5, 70000; alloca.u64 %rd6, %rd5;"), {{1}, {1}}), "TG467"));
  CHECK(has(failure_of(kernel_text("mov.u64 %rd5, -1; alloca.u64 %rd6, %rd5;"), {{1}, {1}}), "TG467"));
}

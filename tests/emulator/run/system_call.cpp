#include <tg/emulator/run/system_call.hpp>

#include <doctest/doctest.h>

#include "../runner.hpp"

namespace {

using namespace runner;

const char* const declarations = R"(
.extern .func (.param .b32 r) vprintf(.param .b64 format, .param .b64 arguments);
.extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 s);
.extern .func (.param .b64 r) malloc(.param .b64 bytes);
.extern .func free(.param .b64 p);
.extern .func (.param .b64 r) memcpy(.param .b64 to, .param .b64 from, .param .b64 bytes);
.extern .func (.param .b64 r) memset(.param .b64 to, .param .b32 value, .param .b64 bytes);
.global .align 1 .b8 hello[16] = {116, 104, 114, 101, 97, 100, 32, 37, 100, 32, 37, 115, 33, 10};
.const .align 1 .b8 who[5] = {109, 111, 111, 110};
.global .align 1 .b8 what[7] = {120, 32, 60, 32, 57};
)";

const char* const malloc_call =
    "{ .param .b64 n; .param .b64 v; st.param.b64 [n], %rd5; call (v), malloc, (n); ld.param.b64 %rd6, [v]; }\n";
const char* const free_call = "{ .param .b64 n; st.param.b64 [n], %rd6; call free, (n); }\n";
const char* const print_call = R"(
    .local .align 8 .b8 box[16];
    cvta.local.u64 %rd8, %rd8; mov.u32 %r0, %tid.x;
    mov.u64 %rd6, hello; cvta.global.u64 %rd6, %rd6; mov.u64 %rd7, who; cvta.const.u64 %rd7, %rd7;
    mov.u64 %rd8, box; st.local.u32 [%rd8], %r0; st.local.u64 [%rd8+8], %rd7; cvta.local.u64 %rd8, %rd8;
    { .param .b64 f; .param .b64 a; .param .b32 v; st.param.b64 [f], %rd6; st.param.b64 [a], %rd8;
      call (v), vprintf, (f, a); ld.param.b32 %r1, [v]; }
)";
const char* const assert_call = R"(
    mov.u64 %rd6, what; cvta.global.u64 %rd6, %rd6; mov.u64 %rd7, who; cvta.const.u64 %rd7, %rd7;
    call __assertfail, (%rd6, %rd7, 12, %rd7, 1);
)";

struct texts {
  std::string printed, asserted;
  options how;
  texts() {
    how.on_printf = [this](std::string_view s) { printed += s; };
    how.on_assert = [this](std::string_view s) { asserted += s; };
  }
};

}  // namespace

TEST_CASE("printf comes out block after block, whatever the order in which they run") {
  for (const std::uint64_t seed : {0, 3}) {
    texts t;
    t.how.seed = seed;
    t.how.threads = 2;
    bench b(kernel_text(print_call + std::string("mul.wide.u32 %rd4, %r0, 4; add.u64 %rd4, %rd0, %rd4; "
                                                 "st.global.u32 [%rd4], %r1;"),
                        declarations));
    const std::uint64_t out = b.upload(std::vector<std::uint32_t>(2));
    b.run({{3}, {2}}, {out}, t.how);
    CHECK_EQ(t.printed, "thread 0 moon!\nthread 1 moon!\nthread 0 moon!\nthread 1 moon!\nthread 0 moon!\nthread 1 moon!\n");
    CHECK_EQ(b.download<std::uint32_t>(out, 2), std::vector<std::uint32_t>{2, 2});
  }
}

TEST_CASE("what a kernel printed before it failed is not lost") {
  texts t;
  bench b(kernel_text(print_call + std::string("setp.eq.u32 %p1, %r0, 1; @%p1 trap;"), declarations));
  CHECK(has(failure([&] { b.run({{1}, {2}}, {}, t.how); }), "TG430"));
  CHECK_EQ(t.printed, "thread 0 moon!\nthread 1 moon!\n");
}

TEST_CASE("printf of a pointer that leads nowhere is found") {
  CHECK(has(failure_of(kernel_text("mov.u64 %rd6, 4711; { .param .b64 f; .param .b64 a; .param .b32 v; st.param.b64 [f], %rd6; "
                                   "st.param.b64 [a], %rd6; call (v), vprintf, (f, a); }",
                                   declarations),
                       {{1}, {1}}),
            "TG402"));
}

TEST_CASE("an assertion that fails ends the launch with the message of the CUDA runtime") {
  texts t;
  bench b(kernel_text("mov.u32 %r0, %tid.x; setp.lt.u32 %p1, %r0, 2; @%p1 bra end;" + std::string(assert_call) + "end:",
                      declarations));
  const std::string failed = failure([&] { b.run({{2}, {4}}, {}, t.how); });
  CHECK(has(failed, "TG466"));
  CHECK(has(failed, "thread (2, 0, 0) of block (0, 0, 0)"));
  CHECK(has(failed, "moon:12: moon: block: [0,0,0], thread: [2,0,0] Assertion `x < 9` failed."));
  CHECK_EQ(t.asserted, "moon:12: moon: block: [0,0,0], thread: [2,0,0] Assertion `x < 9` failed.\n"
                       "moon:12: moon: block: [0,0,0], thread: [3,0,0] Assertion `x < 9` failed.\n");
  texts clean;
  b.run({{2}, {2}}, {}, clean.how);
  CHECK_EQ(clean.asserted, "");
}

TEST_CASE("each thread has its own block of the heap, across launches too") {
  bench b(kernel_text("mov.u32 %r0, %tid.x; mov.u64 %rd5, 24;" + std::string(malloc_call) +
                          "st.u32 [%rd6+20], %r0; mul.wide.u32 %rd4, %r0, 8; add.u64 %rd4, %rd0, %rd4; "
                          "st.global.u64 [%rd4], %rd6; ld.u32 %r1, [%rd6+20]; setp.ne.u32 %p1, %r0, %r1; @%p1 trap;",
                      declarations));
  const std::uint64_t out = b.upload(words(64));
  b.run({{1}, {64}}, {out});
  b.run({{1}, {64}}, {out});
  CHECK_EQ(b.memory().heap()->live().size(), 128);
  const auto pointers = b.download<std::uint64_t>(out, 64);
  CHECK_NE(pointers[0], pointers[1]);
  CHECK_EQ(b.memory().heap()->find(pointers[5] + 23).size_bytes, 24);
}

TEST_CASE("malloc gives null when the heap is full") {
  options how;
  how.heap_bytes = 4096;
  bench b(kernel_text("mov.u64 %rd5, 3000;" + std::string(malloc_call) + "st.global.u64 [%rd0], %rd6;" + malloc_call +
                          "st.global.u64 [%rd0+8], %rd6;",
                      declarations));
  const std::uint64_t out = b.upload(words(2));
  b.run({{1}, {1}}, {out}, how);
  const auto got = b.download<std::uint64_t>(out, 2);
  CHECK_NE(got[0], 0);
  CHECK_EQ(got[1], 0);
}

TEST_CASE("frees of what malloc did not return, and accesses that meet no block, are found") {
  const auto fails = [&](const std::string& then) {
    return failure_of(kernel_text("mov.u64 %rd5, 24;" + std::string(malloc_call) + then, declarations), {{1}, {1}});
  };
  CHECK_EQ(fails("st.u32 [%rd6+20], 1;" + std::string(free_call)), "");
  CHECK(has(fails("st.u32 [%rd6+24], 1;"), "TG402"));
  CHECK(has(fails("st.u32 [%rd6+24], 1;"), "0 bytes past the end of the 24 bytes"));
  CHECK(has(fails("st.u32 [%rd6+-4], 1;"), "4 bytes before the 24 bytes"));
  CHECK(has(fails(std::string(free_call) + "ld.u32 %r1, [%rd6];"), "TG407"));
  CHECK(has(fails("st.u32 [%rd6], 1;" + std::string(free_call) + "ld.u32 %r1, [%rd6];"), "which were freed"));
  CHECK(has(fails(std::string(free_call) + free_call), "TG468"));
  CHECK(has(fails(std::string(free_call) + free_call), "freed before"));
  CHECK(has(fails("add.u64 %rd6, %rd6, 8;" + std::string(free_call)), "malloc did not return"));
  CHECK_EQ(fails(std::string(free_call) + "mov.u64 %rd6, 0;" + free_call), "");
}

TEST_CASE("memcpy and memset work on whole ranges") {
  const char* const body = R"(
    { .param .b64 a; .param .b64 b; .param .b64 n; .param .b64 v; .param .b32 w;
      st.param.b64 [a], %rd1; st.param.b32 [w], 171; st.param.b64 [n], 100; call (v), memset, (a, w, n);
      st.param.b64 [a], %rd0; st.param.b64 [b], %rd1; call (v), memcpy, (a, b, n); ld.param.b64 %rd5, [v]; }
    setp.ne.u64 %p1, %rd5, %rd0; @%p1 trap;)";
  bench b(kernel_text(body, declarations));
  const std::uint64_t to = b.upload(std::vector<unsigned char>(128, 1)), from = b.upload(std::vector<unsigned char>(128, 2));
  b.run({{1}, {1}}, {to, from});
  const auto got = b.download<unsigned char>(to, 128);
  CHECK_EQ(got[0], 171);
  CHECK_EQ(got[99], 171);
  CHECK_EQ(got[100], 1);
  CHECK(has(failure_of(kernel_text(body, declarations), {{1}, {1}}, 64), "TG402"));
}

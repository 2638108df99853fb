#include <tg/emulator/access/access.hpp>

#include <doctest/doctest.h>

#include "../runner.hpp"

namespace {

using namespace runner;

/// Thread t accesses p0 + scale * t + offset.
std::string at(const std::string& instruction, int scale, long long offset) {
  return kernel_text("mov.u32 %r0, %tid.x; mul.wide.u32 %rd4, %r0, " + std::to_string(scale) +
                     "; add.s64 %rd4, %rd0, %rd4; add.s64 %rd4, %rd4, " + std::to_string(offset) +
                     "; mov.u32 %r1, 5; mov.u32 %r2, 6; mov.u64 %rd6, 8;\n" + instruction);
}

struct fault {
  const char* name;
  std::string wrong, right;
  const char* number;
  const char* part;
};

}  // namespace

TEST_CASE("each planted fault is found and its clean twin is silent") {
  const std::string load = "ld.global.u32 %r3, [%rd4];", store = "st.global.u32 [%rd4], %r1;";
  const std::string shared =
      ".shared .align 4 .b32 tile[32]; mov.u32 %r0, %tid.x; shl.b32 %r1, %r0, 2; mov.u32 %r2, tile; add.u32 %r2, %r2, "
      "%r1; ";
  const std::string local = ".local .align 4 .b8 stack[16]; mov.u64 %rd4, stack; mov.u32 %r0, %tid.x; ";
  const std::string table = ".const .align 4 .b32 table[4] = {1, 2, 3, 4};\n";
  const fault faults[] = {
      {"read one past the end", at(load, 4, 4), at(load, 4, 0), "TG402", "0 bytes after the nearest allocation at 0x"},
      {"write one past the end", at(store, 4, 4), at(store, 4, 0), "TG402", "'st.global.u32'"},
      {"far past the end", at(load, 4, 1 << 30), at(load, 4, 0), "TG402", "bytes after the nearest"},
      {"before the start", at(load, 4, -8), at(load, 4, 0), "TG402", "8 bytes before the nearest allocation"},
      {"a last element that sticks out", at("ld.global.u64 %rd5, [%rd4];", 4, 0), at("ld.global.u64 %rd5, [%rd0];", 0, 0),
       "TG403", "4 bytes past a multiple of 8"},
      {"null", at("mov.u64 %rd4, 0; ld.global.u32 %r3, [%rd4+16];", 4, 0), at(load, 4, 0), "TG408", "null pointer"},
      {"a scalar at an odd byte", at(load, 4, 2), at(load, 4, 0), "TG403", "2 bytes past a multiple of 4"},
      {"a vector at a word", at("ld.global.v4.u32 {%r3, %r4, %r5, %r6}, [%rd0+4];", 4, 0),
       at("ld.global.v4.u32 {%r3, %r4, %r5, %r6}, [%rd0+16];", 4, 0), "TG403", "align the start of the vector"},
      {"an atomic out of bounds", at("red.global.add.u32 [%rd4], 1;", 4, 4), at("red.global.add.u32 [%rd4], 1;", 4, 0), "TG402",
       "'red.global.add.u32'"},
      {"generic out of bounds", at("ld.u32 %r3, [%rd4];", 4, 4), at("ld.u32 %r3, [%rd4];", 4, 0), "TG402", "'ld.u32'"},
      {"shared past the end", kernel_text(shared + "st.shared.u32 [%r2+4], %r1;"),
       kernel_text(shared + "st.shared.u32 [%r2], %r1;"), "TG404",
       "outside the 128 bytes of the shared memory of the block, behind 'tile'"},
      {"shared far below", kernel_text(shared + "ld.shared.u32 %r3, [%r2+-4];"),
       kernel_text(shared + "ld.shared.u32 %r3, [%r2];"), "TG404", "thread (0, 0, 0)"},
      {"shared misaligned", kernel_text(shared + "ld.shared.v2.u32 {%r3, %r4}, [%r2];"),
       kernel_text(shared + "ld.shared.u32 %r3, [%r2];"), "TG403", "thread (1, 0, 0)"},
      {"local past the end", kernel_text(local + "st.local.u32 [%rd4+16], %r0;"),
       kernel_text(local + "st.local.u32 [%rd4+12], %r0;"), "TG405", "local memory"},
      {"write to constant memory", kernel_text("mov.u64 %rd4, table; st.u32 [%rd4], %r0;", table),
       kernel_text("mov.u64 %rd4, table; ld.const.u32 %r0, [%rd4];", table), "TG409", "writes to constant memory"},
      {"parameter past the end", kernel_text("mov.b64 %rd4, p0; ld.param.u32 %r1, [%rd4+128];"),
       kernel_text("mov.b64 %rd4, p0; ld.param.u32 %r1, [%rd4+24];"), "TG406", "parameters of the kernel"},
  };
  for (const fault& f : faults) {
    CAPTURE(f.name);
    const std::string text = failure_of(f.wrong, {{1}, {32}}, 128);
    CAPTURE(text);
    CHECK(has(text, f.number));
    CHECK(has(text, f.part));
    CHECK(has(text, "in kernel 'k'"));
    CHECK_EQ(failure_of(f.right, {{1}, {32}}, 128), "");
  }
}

TEST_CASE("inactive lanes may hold any address") {
  CHECK_EQ(failure_of(at("setp.lt.u32 %p1, %r0, 32; @%p1 ld.global.u32 %r3, [%rd4];", 4, 0), {{1}, {64}}, 128), "");
  CHECK(has(failure_of(at("setp.lt.u32 %p1, %r0, 33; @%p1 ld.global.u32 %r3, [%rd4];", 4, 0), {{1}, {64}}, 128),
            "thread (32, 0, 0)"));
}

TEST_CASE("alignment checks can be switched off") {
  options how;
  how.check.memory = false;
  CHECK_EQ(failure_of(at("ld.global.u32 %r3, [%rd4];", 4, 2), {{1}, {16}}, 128, how), "");
  CHECK(has(failure_of(at("ld.global.u32 %r3, [%rd4];", 4, 2), {{1}, {16}}, 128), "TG403"));
}

TEST_CASE("without checkers what leaves the device's memory fails, and the host's memory stays as it is") {
  std::vector<std::uint32_t> host(1024, 7);
  options how;
  how.check = tg::emulator::check::checkers{.memory = false};
  struct attack {
    const char* body;
    const char* code;
  };
  const attack attacks[] = {
      {"st.global.u32 [%rd0], 1;", "TG402"},
      {"st.u32 [%rd0], 1;", "TG402"},
      {"mov.u32 %r0, %tid.x; mul.wide.u32 %rd4, %r0, 4; add.u64 %rd4, %rd4, %rd0; st.global.u32 [%rd4], 1;", "TG402"},
      {"mov.u32 %r0, %tid.x; mul.wide.u32 %rd4, %r0, 52; rem.u64 %rd4, %rd4, 64; mul.lo.u64 %rd4, %rd4, 4; "
       "add.u64 %rd4, %rd4, %rd0; st.global.u32 [%rd4], 1;",
       "TG402"},
      {"mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 5; selp.b64 %rd4, %rd0, %rd1, %p0; st.global.u32 [%rd4], 1;", "TG402"},
      {"st.global.v4.u32 [%rd0], {1, 1, 1, 1};", "TG402"},
      {"ld.global.u32 %r0, [%rd0]; st.global.u32 [%rd1], %r0;", "TG402"},
      {"red.global.add.u32 [%rd0], 1;", "TG402"},
      {"atom.global.exch.b32 %r0, [%rd0], 1;", "TG402"},
      {"cp.async.ca.shared.global [s], [%rd0], 16; cp.async.wait_all;", "TG402"},
      {"mov.u64 %rd4, 0; st.global.u32 [%rd4], 1;", "TG408"},
      {"st.shared.u32 [s+1048576], 1;", "TG404"},
      {"mov.u64 %rd4, s; sub.u64 %rd4, %rd4, 4096; mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 9; @%p0 st.shared.u32 [%rd4], 1;",
       "TG404"},
      {"cvta.shared.u64 %rd4, s; add.u64 %rd4, %rd4, 65536; st.u32 [%rd4], 1;", "TG404"},
      {"mov.u64 %rd4, l; add.u64 %rd4, %rd4, 1048576; st.local.u32 [%rd4], 1;", "TG405"},
      {"mov.u64 %rd4, l; sub.u64 %rd4, %rd4, 65536; mov.u32 %r0, %tid.x; and.b32 %r0, %r0, 3; mul.wide.u32 %rd5, %r0, 4; "
       "sub.u64 %rd4, %rd4, %rd5; st.local.u32 [%rd4], 1;",
       "TG405"},
      {"atom.global.exch.b128 %q0, [%rd1+8], %q0;", "TG403"},
  };
  const std::string declared =
      ".reg .b128 %q<2>; .shared .align 16 .b8 s[64]; .local .align 16 .b8 l[64]; mov.b128 %q0, {%rd0, %rd0}; ";
  for (const attack& a : attacks) {
    CAPTURE(std::string(a.body));
    bench b(kernel_text(declared + a.body));
    const auto there = reinterpret_cast<std::uint64_t>(host.data());
    const std::uint64_t own = b.upload(std::vector<std::uint32_t>(1024));
    CHECK(has(failure([&] { b.run({{1}, {64}}, {there, own}, how); }), a.code));
    CHECK_EQ(std::count(host.begin(), host.end(), 7u), 1024);
  }
  bench b(kernel_text("st.global.u32 [%rd0], 1; st.global.u32 [%rd1+4096], 1;"));  // what the device was told of, a gap
  const auto there = reinterpret_cast<std::uint64_t>(host.data());
  b.memory().adopt(there, 4096);
  const std::uint64_t own = b.upload(std::vector<std::uint32_t>(1024));
  CHECK_EQ(failure([&] { b.run({{1}, {64}}, {there, own}, how); }), "");
  CHECK_EQ(host[0], 1);
}

TEST_CASE("of all faults the one of the earliest block is reported") {
  options how;
  how.threads = 4;
  for (int k = 0; k < 5; ++k) {
    const std::string text = failure_of(
        kernel_text("mov.u32 %r0, %ctaid.x; setp.ge.u32 %p1, %r0, 11; mov.u64 %rd4, 0; @%p1 ld.global.u32 %r1, [%rd4];"),
        {{64}, {32}}, 128, how);
    CHECK(has(text, "block (11, 0, 0)"));
  }
}

TEST_CASE("every thread has its own bytes at one generic address of local memory") {
  bench b(kernel_text(".local .align 8 .b8 own[16]; mov.u32 %r0, %tid.x; xor.b32 %r1, %r0, 5; mul.lo.u32 %r2, %r1, %r1;\n"
                      "mov.u64 %rd5, own; cvta.local.u64 %rd5, %rd5; st.local.u32 [own+8], %r2; ld.u32 %r3, [%rd5+8];\n"
                      "mul.wide.u32 %rd6, %r0, 4; add.u64 %rd6, %rd6, %rd0; st.global.u32 [%rd6], %r3;"));
  const std::uint64_t to = b.upload(std::vector<std::uint32_t>(64));
  b.run({{1}, {64}}, {to});
  const auto got = b.download<std::uint32_t>(to, 64);
  for (std::uint32_t t = 0; t < 64; ++t) CHECK_EQ(got[t], (t ^ 5) * (t ^ 5));
}

#include <tg/emulator/async/copies.hpp>

#include <doctest/doctest.h>

#include <numeric>

#include "../runner.hpp"

namespace {

using namespace runner;

/// Copies %rd0[tid] to shared memory with `copy`, and what shared memory then holds to %rd1[tid], 16 bytes each.
std::string copying(const std::string& copy, const std::string& wait) {
  return kernel_text(".shared .align 16 .b8 tile[2048];\n"
                     "mov.u32 %r0, %tid.x; mul.wide.u32 %rd4, %r0, 16; add.u64 %rd5, %rd0, %rd4; add.u64 %rd6, %rd1, %rd4;\n"
                     "shl.b32 %r1, %r0, 4; mov.u32 %r2, tile; add.u32 %r2, %r2, %r1;\n"
                     "mov.u32 %r3, 0x11111111; st.shared.v4.b32 [%r2], {%r3, %r3, %r3, %r3};\n" +
                     copy + "\n" + wait +
                     "\nld.shared.v4.b32 {%r4, %r5, %r6, %r7}, [%r2]; st.global.v4.b32 [%rd6], {%r4, %r5, %r6, %r7};\n");
}

std::vector<std::uint32_t> run_copy(const std::string& copy, const std::string& wait, std::uint64_t seed = 0) {
  bench b(copying(copy, wait));
  std::vector<std::uint32_t> in(4 * 64);
  std::iota(in.begin(), in.end(), 1000u);
  const std::uint64_t from = b.upload(in), to = b.upload(std::vector<std::uint32_t>(in.size()));
  options how;
  how.seed = seed;
  b.run({{1}, {64}}, {from, to}, how);
  return b.download<std::uint32_t>(to, in.size());
}

/// What thread `t` should see: `bytes` of its input, then zeros up to `written`, then what was there.
std::uint32_t expected(std::size_t word, std::size_t bytes, std::size_t written) {
  const std::size_t within = word % 4 * 4;
  return within < bytes ? static_cast<std::uint32_t>(1000 + word) : within < written ? 0 : 0x11111111;
}

constexpr const char* wait_all = "cp.async.wait_all;";

}  // namespace

TEST_CASE("cp.async copies 4, 8 or 16 bytes, seen after the wait") {
  const struct {
    const char* copy;
    std::size_t bytes;
    std::size_t written;
  } cases[] = {
      {"cp.async.ca.shared.global [%r2], [%rd5], 4;", 4, 4},
      {"cp.async.ca.shared.global [%r2], [%rd5], 8;", 8, 8},
      {"cp.async.ca.shared.global [%r2], [%rd5], 16;", 16, 16},
      {"cp.async.cg.shared.global.L2::128B [%r2], [%rd5], 16;", 16, 16},
      {"cp.async.cg.shared.global [%r2], [%rd5], 16, 8;", 8, 16},
      {"cp.async.cg.shared.global [%r2], [%rd5], 16, 0;", 0, 16},
      {"mov.u32 %r9, 4; cp.async.ca.shared.global [%r2], [%rd5], 8, %r9;", 4, 8},
      {"setp.eq.u32 %p1, %r9, %r9; cp.async.ca.shared.global [%r2], [%rd5], 16, %p1;", 0, 16},
      {"setp.eq.u32 %p1, %r9, %r9; cp.async.ca.shared.global [%r2], [%rd5], 16, !%p1;", 16, 16},
      {"mov.u64 %rd9, 0; cp.async.ca.shared.global.L2::cache_hint [%r2], [%rd5], 16, %rd9;", 16, 16},
      {"mov.u64 %rd9, 0; cp.async.ca.shared.global [%r2], [%rd9], 16, 0;", 0, 16},
  };
  for (const auto& c : cases)
    for (const std::uint64_t seed : {0, 1, 2}) {
      CAPTURE(c.copy);
      const auto got = run_copy(c.copy, wait_all, seed);
      for (std::size_t k = 0; k < got.size(); ++k) REQUIRE_EQ(got[k], expected(k, c.bytes, c.written));
    }
}

TEST_CASE("without its wait a copy is not seen") {
  for (const char* wait : {"", "cp.async.commit_group;", "cp.async.commit_group; cp.async.wait_group 1;"}) {
    const auto got = run_copy("cp.async.cg.shared.global [%r2], [%rd5], 16;", wait);
    CHECK_EQ(got[0], 0x11111111);
    CHECK_EQ(got[255], 0x11111111);
  }
  CHECK_EQ(run_copy("cp.async.cg.shared.global [%r2], [%rd5], 16;", "cp.async.commit_group; cp.async.wait_group 0;")[0], 1000);
}

TEST_CASE("a wait is for the copies of its own thread") {
  // %p2: every third thread.
  const std::string some = "rem.u32 %r8, %r0, 3; setp.eq.u32 %p2, %r8, 0;";
  for (const char* wait : {"@%p2 cp.async.wait_all;", "cp.async.commit_group; @%p2 cp.async.wait_group 0;"}) {
    CAPTURE(wait);
    const auto got = run_copy("cp.async.cg.shared.global [%r2], [%rd5], 16;", some + wait);
    for (std::size_t k = 0; k < got.size(); ++k)
      CHECK_EQ(got[k], expected(k, k / 4 % 3 == 0 ? 16 : 0, k / 4 % 3 == 0 ? 16 : 0));
  }
}

TEST_CASE("a copy without its wait may be seen early with another seed") {
  bool some = false, not_all = false;
  for (std::uint64_t seed = 1; seed < 6; ++seed)
    for (const std::uint32_t v : run_copy("cp.async.cg.shared.global [%r2], [%rd5], 16;", "", seed))
      (v == 0x11111111 ? not_all : some) = true;
  CHECK(some);
  CHECK(not_all);
}

TEST_CASE("wait_group leaves the youngest groups under way") {
  const auto got = run_copy("cp.async.ca.shared.global [%r2], [%rd5], 4; cp.async.commit_group;"
                            "cp.async.ca.shared.global [%r2+4], [%rd5+4], 4; cp.async.commit_group;"
                            "cp.async.ca.shared.global [%r2+8], [%rd5+8], 4;",
                            "cp.async.wait_group 1;");
  for (std::size_t k = 0; k < got.size(); ++k) REQUIRE_EQ(got[k], expected(k, 4, 4));
}

TEST_CASE("cp.async.wait_all waits for the open group too, wait_group 0 does not") {
  CHECK_EQ(run_copy("cp.async.ca.shared.global [%r2], [%rd5], 4;", "cp.async.wait_group 0;")[0], 0x11111111);
  CHECK_EQ(run_copy("cp.async.ca.shared.global [%r2], [%rd5], 4;", "cp.async.wait_all;")[0], 1000);
}

TEST_CASE("cp.async is checked as loads and stores are") {
  const auto fails = [](const char* copy) { return failure_of(copying(copy, wait_all), {{1}, {64}}, 1024); };
  CHECK(fails("cp.async.cg.shared.global [%r2], [%rd5], 16;").empty());
  CHECK(has(fails("cp.async.cg.shared.global [%r2], [%rd5+16], 16;"), "TG402"));
  CHECK(fails("cp.async.cg.shared.global [%r2], [%rd5+16], 16, 0;").empty());
  CHECK(has(fails("cp.async.cg.shared.global [%r2+4], [%rd5], 16;"), "TG403"));
  CHECK(has(fails("cp.async.cg.shared.global [%r2], [%rd5+8], 16, 4;"), "TG403"));
  CHECK(has(fails("cp.async.cg.shared.global [%r2+2048], [%rd5], 16;"), "TG404"));
  CHECK(has(fails("mov.u64 %rd9, 0; cp.async.cg.shared.global [%r2], [%rd9], 16;"), "TG408"));
}

TEST_CASE("cp.async.mbarrier.arrive arrives when the thread's copies are done") {
  const auto body = [](const char* inc, int count, const char* own_arrive) {
    return std::string(".shared .align 8 .b64 bar;\n"
                       "setp.eq.u32 %p2, %r0, 0; @%p2 mbarrier.init.shared.b64 [bar], ") +
           std::to_string(count) + "; bar.sync 0;\n cp.async.cg.shared.global [%r2], [%rd5], 16;\n cp.async.mbarrier.arrive" +
           inc + ".shared.b64 [bar];\n" + own_arrive;
  };
  const char* wait = "again: mbarrier.try_wait.parity.shared::cta.b64 %p3, [bar], 0; @!%p3 bra again;";
  const char* arrive = "mbarrier.arrive.shared.b64 %rd9, [bar];";
  for (const std::uint64_t seed : {0, 3}) {
    CHECK_EQ(run_copy(body(".noinc", 64, ""), wait, seed)[255], 1255);
    CHECK_EQ(run_copy(body("", 64, arrive), wait, seed)[255], 1255);
  }
  CHECK(has(failure([&] { run_copy(body("", 65, arrive), wait); }), "TG421"));
}

namespace {

/// What is counted of the one copy.
tg::emulator::instruction_counters counts_of(const std::string& copy) {
  bench b(copying(copy, wait_all));
  const std::uint64_t from = b.upload(std::vector<std::uint32_t>(4 * 64)), to = b.upload(std::vector<std::uint32_t>(4 * 64));
  counters all;
  b.run({{1}, {64}}, {from, to}, {}, &all);
  for (const auto& i : all.instructions)
    if (i.op == tg::ptx::opcode::cp && i.copied_bytes != 0) return i;
  return {};
}

}  // namespace

TEST_CASE("cp.async counts sectors where it reads and wavefronts where it writes") {
  const struct {
    const char* copy;
    std::uint64_t requests, full, bytes, sectors, copied, wavefronts;
  } cases[] = {
      {"cp.async.ca.shared.global [%r2], [%rd5], 4;", 2, 2, 256, 32, 256, 8},
      {"cp.async.ca.shared.global [%r2], [%rd5], 8;", 2, 2, 512, 32, 512, 8},
      {"cp.async.cg.shared.global [%r2], [%rd5], 16;", 2, 2, 1024, 32, 1024, 8},
      {"cp.async.cg.shared.global [%r2], [%rd0], 16;", 2, 2, 1024, 2, 1024, 8},
      {"cp.async.cg.shared.global [%r2], [%rd5], 16, 8;", 2, 0, 512, 32, 1024, 8},
      {"cp.async.cg.shared.global [%r2], [%rd5], 16, 0;", 2, 0, 0, 0, 1024, 8},
      {"and.b32 %r9, %r0, 2; setp.ne.u32 %p1, %r9, 0; cp.async.cg.shared.global [%r2], [%rd5], 16, %p1;", 2, 0, 512, 16, 1024,
       8},
      {"setp.lt.u32 %p1, %r0, 16; @%p1 cp.async.cg.shared.global [%r2], [%rd5], 16;", 1, 0, 256, 8, 256, 2},
      {"and.b32 %r9, %r0, 7; shl.b32 %r9, %r9, 7; mov.u32 %r8, tile; add.u32 %r9, %r9, %r8; "
       "cp.async.cg.shared.global [%r9], [%rd5], 16;",
       2, 2, 1024, 32, 1024, 64},
  };
  for (const auto& c : cases) {
    CAPTURE(c.copy);
    const auto got = counts_of(c.copy);
    CHECK_EQ(got.space, tg::ptx::token::global);
    CHECK_EQ(got.requests, c.requests);
    CHECK_EQ(got.full_requests, c.full);
    CHECK_EQ(got.bytes, c.bytes);
    CHECK_EQ(got.sectors, c.sectors);
    CHECK_EQ(got.copied_bytes, c.copied);
    CHECK_EQ(got.wavefronts, c.wavefronts);
    CHECK_EQ(got.full_wavefronts_max, c.full == 0 ? 0 : c.wavefronts / 2);
    CHECK_EQ(got.full_sectors_max, c.full == 0 ? 0 : c.sectors / 2);
  }
}

#include <tg/emulator/decode/abreast.hpp>

#include <doctest/doctest.h>

#include <set>

#include "../runner.hpp"

namespace {

using namespace runner;

bool may_run_abreast(const std::string& body) {
  tg::emulator::memory memory(std::size_t{1} << 24);
  const auto program = tg::emulator::program::load(kernel_text(body), memory);
  return program->image().functions[program->function_of(0)].may_run_abreast;
}

/// What the threads of two rows of 13 blocks leave in %r20; each block alone, or as one with its neighbours: 8, then 5.
std::vector<std::uint32_t> per_thread(const std::string& body, std::uint32_t threads, bool together) {
  bench b(kernel_text("mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; mad.lo.u32 %r1, %r2, 13, %r1;\n"
                      "mov.u32 %r2, %ntid.x; mov.u32 %r20, 0;\n"
                      "mad.lo.u32 %r3, %r1, %r2, %r0; shl.b32 %r4, %r0, 2; mov.u32 %r5, tile; add.u32 %r4, %r4, %r5;\n"
                      "mul.wide.u32 %rd4, %r3, 4; add.u64 %rd5, %rd1, %rd4; add.u64 %rd6, %rd0, %rd4;\n" +
                          body + "\nend: st.global.u32 [%rd5], %r20;",
                      ".shared .align 8 .b8 tile[1024];"));
  std::vector<std::uint32_t> in(26 * threads);
  for (std::uint32_t k = 0; k < in.size(); ++k) in[k] = k * 2654435761u >> 20;
  const std::uint64_t from = b.upload(in), to = b.upload(std::vector<std::uint32_t>(in.size(), 0xdddddddd));
  options how;
  how.patterns = together;
  how.threads = 1;
  b.run({{13, 2}, {threads}}, {from, to}, how);
  return b.download<std::uint32_t>(to, in.size());
}

/// How a kernel of 20 blocks of 64 threads fails on one host thread.
std::string failure_together(const std::string& body) {
  options how;
  how.threads = 1;
  return failure_of(kernel_text("mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x;\n" + body), {{20}, {64}}, 4096, how);
}

}  // namespace

TEST_CASE("blocks that could tell whether others run beside them run alone") {
  CHECK(may_run_abreast("ld.global.u32 %r1, [%rd0]; bar.sync 0; st.global.u32 [%rd1], %r1;"));
  CHECK(may_run_abreast("atom.shared.add.u32 %r1, [%r2], 1;"));
  CHECK(may_run_abreast("ld.volatile.shared.u32 %r1, [%r2];"));
  CHECK(may_run_abreast("shfl.sync.bfly.b32 %r1, %r2, 1, 31, -1; @%p1 exit; trap;"));
  for (const char* const body :
       {"atom.global.add.u32 %r1, [%rd0], 1;", "red.global.add.u32 [%rd0], 1;", "atom.add.u32 %r1, [%rd0], 1;",
        "ld.volatile.global.u32 %r1, [%rd0];", "ld.acquire.gpu.global.u32 %r1, [%rd0];",
        "st.release.gpu.global.u32 [%rd0], %r1;", "ld.relaxed.gpu.global.u32 %r1, [%rd0];", "mov.u32 %r1, %clock;",
        "@%p1 bra far; ret; far: red.global.add.u32 [%rd0], 1;", "cp.async.commit_group;"})
    CHECK_MESSAGE(!may_run_abreast(body), body);
  // What no thread reaches does not count.
  CHECK(may_run_abreast("ret; red.global.add.u32 [%rd0], 1;"));
}

TEST_CASE("blocks that run as one and part leave what each leaves alone") {
  const std::string bodies[] = {
      // Every other block goes another way, and only there are barriers.
      "and.b32 %r6, %r1, 1; setp.eq.u32 %p1, %r6, 0; @%p1 bra other;\n"
      "st.shared.u32 [%r4], %r3; bar.sync 0; xor.b32 %r7, %r4, 64; ld.shared.u32 %r20, [%r7]; bar.sync 0; bra end;\n"
      "other: mul.lo.u32 %r20, %r3, 3;",
      // Blocks, and threads of them, end early.
      "setp.eq.u32 %p1, %r1, 4; @%p1 exit; setp.gt.u32 %p2, %r0, 40; setp.gt.u32 %p3, %r1, 8; and.pred %p2, %p2, %p3;\n"
      "@%p2 exit; st.shared.u32 [%r4], 7; bar.sync 0; ld.shared.u32 %r20, [%r4]; add.u32 %r20, %r20, %r1;",
      // Each block goes round as often as its number says, with a barrier in each round.
      "mov.u32 %r6, 0; next: setp.ge.u32 %p1, %r6, %r1; @%p1 bra end; st.shared.u32 [%r4], %r6; bar.sync 0;\n"
      "xor.b32 %r7, %r4, 4; ld.shared.u32 %r8, [%r7]; add.u32 %r20, %r20, %r8; bar.sync 0; add.u32 %r6, %r6, 1; bra "
      "next;",
      // As often as its data say, which are the same for a whole block.
      "mul.wide.u32 %rd7, %r1, 4; add.u64 %rd7, %rd7, %rd0; ld.global.u32 %r6, [%rd7]; and.b32 %r6, %r6, 7;\n"
      "next: setp.eq.u32 %p1, %r6, 0; @%p1 bra end; add.u32 %r20, %r20, %r0; sub.u32 %r6, %r6, 1; bra next;",
      // A tree over shared memory; the result of each block goes to its threads.
      "ld.global.u32 %r6, [%rd6]; st.shared.u32 [%r4], %r6; bar.sync 0;\n"
      "setp.gt.u32 %p1, %r0, 15; @%p1 bra a; ld.shared.u32 %r7, [%r4]; ld.shared.u32 %r8, [%r4+64]; add.u32 %r7, %r7, "
      "%r8;\n"
      "st.shared.u32 [%r4], %r7; a: bar.sync 0; setp.ne.u32 %p1, %r0, 0; @%p1 bra b; ld.shared.u32 %r7, [%r4];\n"
      "ld.shared.u32 %r8, [%r4+4]; add.u32 %r7, %r7, %r8; st.shared.u32 [%r4], %r7; b: bar.sync 0; ld.shared.u32 %r20, "
      "[tile];",
      // Votes, shuffles and barriers that count, differing from block to block.
      "setp.gt.u32 %p1, %r0, %r1; vote.sync.ballot.b32 %r6, %p1, -1; shfl.sync.down.b32 %r7, %r3, 3, 31, -1;\n"
      "bar.red.popc.u32 %r8, 0, %p1; mad.lo.u32 %r20, %r8, 1000, %r7; add.u32 %r20, %r20, %r6;",
      // Guards that hold in some blocks, on loads, stores and arithmetic.
      "setp.lt.u32 %p1, %r3, 300; mov.u32 %r7, 5; @%p1 ld.global.u32 %r7, [%rd6]; @!%p1 add.u32 %r7, %r7, %r1;\n"
      "setp.eq.u32 %p2, %r1, 3; st.shared.u32 [%r4], 1; @%p2 st.shared.u32 [%r4], %r7; bar.sync 0; ld.shared.u32 %r20, "
      "[%r4];\n"
      "@%p2 add.u32 %r20, %r20, 1; @%p2 bra end; add.u32 %r20, %r20, %r7;",
      // Shared atomics and local memory are each block's, each thread's own.
      ".local .align 4 .b32 own[2]; st.shared.u32 [%r4], 0; bar.sync 0; atom.shared.add.u32 %r6, [tile], %r1; bar.sync "
      "0;\n"
      "ld.shared.u32 %r7, [tile]; st.local.u32 [own], %r7; st.local.u32 [own+4], %r3; ld.local.u32 %r8, [own]; "
      "ld.local.u32 %r9, [own+4];\n"
      "mad.lo.u32 %r20, %r8, 64, %r9;",
      // The five of the first row need constants in every lane before eight do.
      "setp.lt.u32 %p1, %r1, 8; @%p1 bra end; mov.u32 %r6, %laneid; xor.b32 %r7, %r6, 77; mad.lo.u32 %r20, %r7, 9, "
      "%r3;",
      // Warps of some blocks meet at barriers of their own.
      "setp.gt.u32 %p1, %r0, 31; setp.gt.u32 %p2, %r1, 5; and.pred %p1, %p1, %p2; @%p1 bra late; st.shared.u32 [%r4], "
      "%r1;\n"
      "late: bar.sync 3; xor.b32 %r7, %r4, 128; ld.shared.u32 %r20, [%r7];"};
  for (const std::string& body : bodies)
    for (const std::uint32_t threads : {64u, 256u}) {
      const auto together = per_thread(body, threads, true);
      CHECK_MESSAGE(together == per_thread(body, threads, false), body);
      CHECK(std::set<std::uint32_t>(together.begin(), together.end()).size() > 4);
    }
}

TEST_CASE("what goes wrong in one of several blocks names that block") {
  const std::string trapped =
      failure_together("setp.eq.u32 %p1, %r1, 5; setp.eq.u32 %p2, %r0, 33; and.pred %p1, %p1, %p2; @%p1 trap;");
  CHECK(has(trapped, "TG430"));
  CHECK(has(trapped, "thread (33, 0, 0) of block (5, 0, 0)"));
  const std::string outside = failure_together(
      "mul.lo.u32 %r2, %r1, 400; mad.lo.u32 %r2, %r0, 4, %r2; cvt.u64.u32 %rd4, %r2; add.u64 %rd4, %rd0, %rd4;\n"
      "ld.global.u32 %r3, [%rd4];");
  CHECK(has(outside, "TG402"));
  CHECK(has(outside, "thread (24, 0, 0)"));
  CHECK(has(outside, "block (10, 0, 0)"));
  const std::string stuck = failure_together(
      "setp.ne.u32 %p1, %r1, 2; @%p1 exit; setp.lt.u32 %p1, %r0, 32; @%p1 bra second; bar.sync 1, 64; ret; second: "
      "bar.sync 2, 64;");
  CHECK(has(stuck, "TG421"));
  CHECK(has(stuck, "deadlock in block (2, 0, 0)"));
  CHECK(has(stuck, "warp 0 lanes 0xffffffff wait at 'bar.sync'"));
  CHECK(has(stuck, "for barrier 2; warp 1 lanes"));
  const std::string parted = failure_together(
      "and.b32 %r2, %r0, 1; setp.eq.u32 %p1, %r1, 6; setp.eq.and.u32 %p1, %r2, 1, %p1; @%p1 bra odd; bar.sync 0; bra "
      "end;\n"
      "odd: bar.sync 0; end:");
  CHECK(has(parted, "TG420"));
  CHECK(has(parted, "block (6, 0, 0)"));
}

TEST_CASE("a block reads its own shared memory where a neighbour's would be in reach") {
  // Past the end of the block's shared memory lies that of its neighbour, which is none of its business.
  const std::string body =
      "mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; shl.b32 %r2, %r0, 2; mov.u32 %r4, tile; add.u32 %r2, %r2, %r4;\n"
      "st.shared.u32 [%r2], %r1; bar.sync 0; ld.shared.u32 %r3, [%r2+";
  options how;
  how.threads = 1;
  for (const auto& [offset, code] : {std::pair{"0];", ""}, std::pair{"4];", "TG4"}, std::pair{"256];", "TG4"}}) {
    const std::string text = failure_of(kernel_text(body + offset, ".shared .align 4 .b8 tile[256];"), {{20}, {64}}, 4096, how);
    CHECK_EQ(text.empty(), std::string(code).empty());
    CHECK(has(text, code));
  }
}

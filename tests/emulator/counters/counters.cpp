#include <tg/emulator/counters/counters.hpp>

#include <doctest/doctest.h>

#include "../runner.hpp"

namespace {

using namespace runner;
using tg::emulator::instruction_counters;

/// Counters of the `which`-th instruction of opcode `op`.
instruction_counters of(const counters& all, tg::ptx::opcode op, int which = 0) {
  for (const instruction_counters& i : all.instructions)
    if (i.op == op && which-- == 0) return i;
  return {};
}

/// Runs one global load of thread t at `stride` bytes × t + `offset`.
instruction_counters load(const std::string& form, int stride, int offset, std::uint32_t threads = 32) {
  bench b(kernel_text("mov.u32 %r0, %tid.x; mul.wide.u32 %rd4, %r0, " + std::to_string(stride) +
                      "; add.u64 %rd4, %rd0, %rd4;\n" + form + ", [%rd4+" + std::to_string(offset) + "];"));
  counters counted;
  b.run({{1}, {threads}}, {b.upload(std::vector<char>(65536))}, {}, &counted);
  return of(counted, tg::ptx::opcode::ld, 4);
}

/// Runs one shared access of a 32 × 32 block at `row_words` × tid.y-or-x + the other.
instruction_counters column(int row_words) {
  bench b(kernel_text(".shared .align 4 .b32 tile[1088]; mov.u32 %r0, %tid.x; mov.u32 %r1, %tid.y; mad.lo.u32 %r2, %r0, " +
                      std::to_string(row_words) +
                      ", %r1; shl.b32 %r2, %r2, 2; mov.u32 %r3, tile; add.u32 %r3, %r3, %r2; ld.shared.f32 %f1, [%r3];"));
  counters counted;
  b.run({{1}, {32, 32}}, {}, {}, &counted);
  return of(counted, tg::ptx::opcode::ld, 4);
}

}  // namespace

TEST_CASE("sectors and lines of global requests") {
  const auto unit = load("ld.global.f32 %f1", 4, 0);
  CHECK_EQ(unit.requests, 1);
  CHECK_EQ(unit.full_requests, 1);
  CHECK_EQ(unit.sectors, 4);
  CHECK_EQ(unit.lines, 1);
  CHECK_EQ(unit.bytes, 128);
  CHECK_EQ(unit.full_sectors_min, 4);
  CHECK_EQ(unit.full_sectors_max, 4);
  CHECK_EQ(unit.space, tg::ptx::token::global);
  CHECK_EQ(load("ld.global.f32 %f1", 8, 0).sectors, 8);
  CHECK_EQ(load("ld.global.f32 %f1", 4, 4).sectors, 5);
  CHECK_EQ(load("ld.global.f32 %f1", 128, 0).sectors, 32);
  CHECK_EQ(load("ld.global.f32 %f1", 0, 0).sectors, 1);
  CHECK_EQ(load("ld.global.v4.f32 {%f1, %f2, %f3, %f4}", 16, 0).sectors, 16);
  CHECK_EQ(load("ld.global.u8 %r1", 1, 0).sectors, 1);
}

TEST_CASE("a partial last warp is a full request of the lanes that exist") {
  const auto c = load("ld.global.f32 %f1", 4, 0, 40);
  CHECK_EQ(c.requests, 2);
  CHECK_EQ(c.full_requests, 2);
  CHECK_EQ(c.sectors, 5);
  CHECK_EQ(c.full_sectors_min, 1);
  CHECK_EQ(c.full_sectors_max, 4);
  CHECK_EQ(c.active_lanes, 40);
}

TEST_CASE("wavefronts of shared requests") {
  const auto conflicts = column(32), padded = column(33);
  CHECK_EQ(conflicts.requests, 32);
  CHECK_EQ(conflicts.wavefronts, 32 * 32);
  CHECK_EQ(conflicts.full_wavefronts_max, 32);
  CHECK_EQ(padded.wavefronts, 32);
  CHECK_EQ(padded.full_wavefronts_max, 1);
  CHECK_EQ(padded.space, tg::ptx::token::shared);
  CHECK_EQ(padded.sectors, 0);
}

TEST_CASE("executions, lanes, divergence, flops and lines") {
  bench b(module_text(R"(
    .file 1 "kernel.cpp"
    .visible .entry k(.param .u64 p) {
      .reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .f32 %f<4>; .reg .f64 %d<4>;
      mov.u32 %r0, %tid.x; setp.lt.u32 %p0, %r0, 40;
      .loc 1 7 0
      @%p0 bra low;
      fma.rn.f32 %f0, %f1, %f2, %f3;
      low:
      .loc 1 9 0
      @%p0 add.f32 %f0, %f1, %f2;
      mul.f64 %d0, %d1, %d2; bar.sync 0;
      ret;
    })"));
  counters counted;
  b.run({{3}, {128}}, {0}, {}, &counted);
  const auto branch = of(counted, tg::ptx::opcode::bra), fma = of(counted, tg::ptx::opcode::fma),
             add = of(counted, tg::ptx::opcode::add);
  CHECK_EQ(branch.executions, 12);
  CHECK_EQ(branch.active_lanes, 120);
  CHECK_EQ(branch.divergent, 3);
  CHECK_EQ(branch.file, "kernel.cpp");
  CHECK_EQ(branch.line, 7);
  CHECK_EQ(fma.executions, 9);
  CHECK_EQ(fma.active_lanes, 3 * 88);
  CHECK_EQ(add.executions, 12);
  CHECK_EQ(add.active_lanes, 120);
  CHECK_EQ(add.line, 9);
  CHECK_EQ(counted.flops_f32, 2 * 3 * 88 + 120);
  CHECK_EQ(counted.flops_f64, 3 * 128);
  CHECK_EQ(counted.barriers, 3);
  const std::uint64_t once = counted.warp_instructions;
  b.run({{3}, {128}}, {0}, {}, &counted);
  CHECK_EQ(counted.warp_instructions, 2 * once);
  CHECK_EQ(of(counted, tg::ptx::opcode::fma).executions, 18);
}

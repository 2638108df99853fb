#include <tg/emulator/counters/counters_summary.hpp>

#include <doctest/doctest.h>

#include "../runner.hpp"

namespace {

using namespace runner;

const std::string lined =
    ".version 8.0\n.target sm_90\n.address_size 64\n.file 1 \"sum.cu\"\n"
    ".visible .entry k(.param .u64 in, .param .u64 out) {\n"
    ".reg .b32 %r<9>; .reg .b64 %d<9>; .reg .f32 %f<9>; .shared .b32 s[1024];\n"
    ".loc 1 10 0\n ld.param.u64 %d1, [in]; mov.u32 %r1, %tid.x; mul.wide.u32 %d3, %r1, 4; add.u64 %d1, %d1, %d3;\n"
    "ld.global.f32 %f1, [%d1];\n"
    ".loc 1 11 0\n fma.rn.f32 %f2, %f1, %f1, %f1; fma.rn.f32 %f2, %f2, %f1, %f1;\n"
    ".loc 1 12 0\n shl.b32 %r2, %r1, 3; mov.u32 %r3, s; add.u32 %r3, %r3, %r2; st.shared.f32 [%r3], %f2; bar.sync 0;\n"
    ".loc 1 10 0\n ld.global.f32 %f3, [%d1];\n"
    ".loc 1 14 0\n ret;\n}\n";

counters counted_twice() {
  bench b(lined);
  const std::uint64_t in = b.upload(std::vector<float>(64, 1.0f));
  counters all;
  b.run({{2}, {64}}, {in, in}, {}, &all);
  return all;
}

}  // namespace

TEST_CASE("counters are added up per source line and per space") {
  const tg::emulator::counters_summary sum = tg::emulator::summarize(counted_twice());
  REQUIRE_EQ(sum.lines.size(), 4);
  const auto& load = sum.lines[0];
  CHECK_EQ(load.file, "sum.cu");
  CHECK_EQ(load.line, 10);
  CHECK_EQ(load.executions, 6 * 4);
  CHECK_EQ(load.sectors, 2 * 4 * 4);
  CHECK_EQ(load.sectors_per_request(), 4.0);
  CHECK_EQ(load.lanes_per_execution(), 32.0);
  CHECK_EQ(sum.lines[1].flops, 2 * 2 * 128);
  CHECK_EQ(sum.lines[2].wavefronts, 2 * 4);
  CHECK_EQ(sum.lines[2].wavefronts_per_request(), 2.0);
  CHECK_EQ(sum.lines[2].barriers, 4);
  CHECK_EQ(sum.spaces.at(tg::ptx::token::global).bytes, 2 * 128 * 4);
  CHECK_EQ(sum.spaces.at(tg::ptx::token::shared).wavefronts, 8);
  CHECK_EQ(sum.flops, 512);
  CHECK_EQ(sum.global_bytes, 32 * 32);
  CHECK_EQ(sum.arithmetic_intensity, doctest::Approx(0.5));
}

TEST_CASE("launches of one program add up") {
  counters once = counted_twice(), twice = once;
  twice += once;
  CHECK_EQ(twice.warp_instructions, 2 * once.warp_instructions);
  CHECK_EQ(twice.barriers, 2 * once.barriers);
  const auto a = tg::emulator::summarize(once), b = tg::emulator::summarize(twice);
  REQUIRE_EQ(a.lines.size(), b.lines.size());
  for (std::size_t k = 0; k < a.lines.size(); ++k) {
    CHECK_EQ(b.lines[k].executions, 2 * a.lines[k].executions);
    CHECK_EQ(b.lines[k].sectors, 2 * a.lines[k].sectors);
    CHECK_EQ(b.lines[k].sectors_per_request(), a.lines[k].sectors_per_request());
  }
}

TEST_CASE("without C++ lines the rows are PTX lines") {
  bench b(kernel_text("mov.u32 %r0, 1;"));
  counters all;
  b.run({{1}, {32}}, {}, {}, &all);
  const auto sum = tg::emulator::summarize(all);
  REQUIRE_FALSE(sum.lines.empty());
  CHECK(sum.lines[0].file.empty());
  CHECK_EQ(sum.lines[0].function, "k");
  CHECK_GT(sum.lines[0].line, 4);
  CHECK_EQ(sum.arithmetic_intensity, 0);
}

TEST_CASE("what a copy reads counts in global memory, what it writes in shared memory") {
  bench b(
      kernel_text(".shared .align 16 .b8 s[512]; mov.u32 %r0, %tid.x; mul.wide.u32 %rd4, %r0, 16; add.u64 %rd4, %rd0, %rd4;\n"
                  "mul.lo.u32 %r1, %r0, 16; mov.u32 %r2, s; add.u32 %r2, %r2, %r1;\n"
                  "cp.async.cg.shared.global [%r2], [%rd4], 16, 4; cp.async.wait_all;"));
  counters all;
  b.run({{1}, {32}}, {b.upload(std::vector<float>(128))}, {}, &all);
  const auto sum = tg::emulator::summarize(all);
  const auto& global = sum.spaces.at(tg::ptx::token::global);
  const auto& shared = sum.spaces.at(tg::ptx::token::shared);
  CHECK_EQ(global.requests, 1);
  CHECK_EQ(global.bytes, 32 * 4);
  CHECK_EQ(global.sectors, 16);
  CHECK_EQ(global.wavefronts, 0);
  CHECK_EQ(shared.requests, 1);
  CHECK_EQ(shared.bytes, 32 * 16);
  CHECK_EQ(shared.sectors, 0);
  CHECK_EQ(shared.wavefronts, 4);
  std::uint64_t both = 0;
  for (const auto& line : sum.lines)
    if (line.sectors != 0) both += line.global_requests + line.shared_requests;
  CHECK_EQ(both, 2);
}

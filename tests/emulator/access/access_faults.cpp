#include <tg/emulator/access/access_faults.hpp>

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

}  // namespace

TEST_CASE("a report has access, thread, block, address, allocation and the C++ line") {
  const std::string text = failure_of(module_text(R"(
    .file 1 "src/blur.cpp"
    .visible .entry blur(.param .u64 p) {
      .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .f32 %f<2>;
      .loc 1 31 0
      ld.param.u64 %rd0, [p]; mov.u32 %r0, %tid.y; mov.u32 %r1, %ctaid.x; mad.lo.u32 %r0, %r1, 4, %r0; mul.wide.u32 %rd1, %r0, 4; add.u64 %rd1, %rd0, %rd1;
      .loc 1 32 0
      ld.global.f32 %f1, [%rd1+8];
      ret;
    })"),
                                      {{2}, {1, 4}}, 32);
  CHECK(has(text, "TG402: Invalid __global__ read"));
  CHECK(has(text, "'ld.global.f32' (PTX line "));
  CHECK(has(text, "of size 4 bytes"));
  CHECK(has(text, "by thread (0, 2, 0) of block (1, 0, 0) in kernel 'blur'"));
  CHECK(has(text, "0 bytes after the nearest allocation"));
  CHECK(has(text, "(blur.cpp:32)"));
}

TEST_CASE("use after free is told from out of bounds") {
  bench b(at("ld.global.u32 %r3, [%rd4];", 4, 0));
  const std::uint64_t freed = b.upload(std::vector<char>(128));
  b.run({{1}, {32}}, {freed});
  b.memory().release(freed);
  const std::string text = failure([&] { b.run({{1}, {32}}, {freed}); });
  CHECK(has(text, "TG407"));
  CHECK(has(text, "which was released"));
}

TEST_CASE("an access that may stay in a variable only is narrowed to it") {
  tg::emulator::memory_access a;
  std::uint64_t begin = 0, end = 1000;
  tg::emulator::narrow(a, 64, begin, end);
  CHECK(end == 1000);
  a.extent_begin = 16;
  a.extent_end = 48;
  tg::emulator::narrow(a, 64, begin, end);
  CHECK(begin == 80);
  CHECK(end == 112);
}

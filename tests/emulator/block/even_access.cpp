#include <tg/emulator/block/even_access.hpp>

#include <doctest/doctest.h>

#include "../runner.hpp"

namespace {

/// What `body` leaves in the second buffer, moved as rows or warp by warp.
std::vector<std::uint32_t> moved(const std::string& body, const runner::launch_shape& shape, bool rows) {
  runner::bench on(runner::kernel_text(
      "mov.u32 %r0, %tid.x; mov.u32 %r1, %tid.y; mov.u32 %r2, %ntid.x; mad.lo.u32 %r3, %r1, %r2, %r0;\n" + body));
  std::vector<std::uint32_t> in(4096);
  for (std::uint32_t k = 0; k < in.size(); ++k) in[k] = (k + 1) * 2654435761u;
  const std::uint64_t from = on.upload(in), to = on.upload(std::vector<std::uint32_t>(4096));
  runner::options how;
  how.patterns = rows;
  on.run(shape, {from, to}, how);
  return on.download<std::uint32_t>(to, 4096);
}

const std::string addresses =
    "mul.wide.u32 %rd4, %r3, 16; add.u64 %rd5, %rd0, %rd4; add.u64 %rd6, %rd1, %rd4;\n"
    "mul.wide.u32 %rd7, %r3, 4; add.u64 %rd8, %rd1, %rd7; mul.wide.u32 %rd9, %r0, 4; add.u64 %rd9, %rd9, %rd0;\n"
    "mul.wide.u32 %rd10, %r1, 4; add.u64 %rd10, %rd10, %rd0;\n";

}  // namespace

TEST_CASE("rows of every kind arrive where single warps put them") {
  const std::string bodies[] = {
      "ld.global.v4.u32 {%r10, %r11, %r12, %r13}, [%rd5]; st.global.v4.u32 [%rd6], {%r13, %r12, %r11, %r10};",
      "ld.global.u32 %r10, [%rd9+8]; st.global.u32 [%rd8], %r10;",
      "ld.global.u32 %r10, [%rd10]; st.global.u32 [%rd8], %r10;",
      "ld.global.s8 %r10, [%rd5+1]; st.global.u32 [%rd8], %r10;",
      "ld.global.s16 %rd12, [%rd5+2]; st.global.u64 [%rd6], %rd12;",
      "ld.global.u32 %r10, [%rd0+12]; add.u32 %r10, %r10, %r3; st.global.u16 [%rd8], %r10;",
      "ld.global.u32 %r10, [%rd5]; setp.lt.u32 %p1, %r0, 5; @%p1 st.global.u32 [%rd8], %r10;",
      "ld.global.u32 %r10, [%rd5]; st.global.u32 [%rd1], %r10;"};
  const runner::launch_shape shapes[] = {{{1}, {256}}, {{1}, {16, 16}}, {{1}, {40}}, {{1}, {24, 5}}, {{1}, {4, 33}}};
  for (const std::string& body : bodies)
    for (const runner::launch_shape& shape : shapes) {
      const auto rows = moved(addresses + body, shape, true);
      CHECK_MESSAGE(rows == moved(addresses + body, shape, false), body);
      CHECK(rows != std::vector<std::uint32_t>(4096));
    }
}

TEST_CASE("a range past its buffer is reported like a single lane's access") {
  const std::string text = runner::kernel_text(
      "mov.u32 %r0, %tid.x; mul.wide.u32 %rd4, %r0, 4; add.u64 %rd5, %rd0, %rd4; ld.global.u32 %r1, [%rd5+8];");
  for (const bool patterns : {true, false}) {
    runner::options how;
    how.patterns = patterns;
    CHECK(runner::has(runner::failure_of(text, {{1}, {1024}}, 4096, how), "TG402"));
    CHECK(runner::has(runner::failure_of(text, {{1}, {1024}}, 4096, how), "thread (1022, 0, 0)"));
    CHECK(runner::failure_of(text, {{1}, {1022}}, 4096, how) == "");
  }
}

TEST_CASE("a misaligned range is reported") {
  const std::string text = runner::kernel_text(
      "mov.u32 %r0, %tid.x; mul.wide.u32 %rd4, %r0, 6; add.u64 %rd5, %rd0, %rd4; ld.global.u32 %r1, [%rd5];");
  CHECK(runner::has(runner::failure_of(text, {{1}, {64}}), "TG403"));
}

TEST_CASE("a range may end before the buffer although the block does not") {
  // Threads 0 to 99 only: the rest of the block would read past the end.
  const std::string text = runner::kernel_text(
      "mov.u32 %r0, %tid.x; setp.ge.u32 %p1, %r0, 100; mul.wide.u32 %rd4, %r0, 4; add.u64 %rd5, %rd0, %rd4;\n"
      "@%p1 bra done; ld.global.u32 %r1, [%rd5]; done:");
  CHECK(runner::failure_of(text, {{1}, {256}}, 400) == "");
  CHECK(runner::has(runner::failure_of(text, {{1}, {256}}, 396), "TG402"));
}

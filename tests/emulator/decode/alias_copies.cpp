#include <tg/emulator/decode/alias_copies.hpp>

#include <doctest/doctest.h>

#include <algorithm>

#include "../runner.hpp"

namespace {

std::size_t copies_left(const std::string& body) {
  tg::emulator::memory memory(std::size_t{1} << 24);
  const auto program =
      tg::emulator::program::load(runner::module_text(".visible .entry k(.param .u64 p0, .param .u32 p1)\n{ .reg .pred "
                                                      "%p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n" +
                                                      body + "\nret; }"),
                                  memory);
  const auto& code = program->image().code;
  return static_cast<std::size_t>(
      std::ranges::count_if(code, [](const tg::emulator::operation& o) { return o.act == tg::emulator::action::lanes; }));
}

}  // namespace

TEST_CASE("copies of parameters and special registers are read through") {
  CHECK(copies_left(
            "ld.param.u64 %rd0, [p0]; cvta.to.global.u64 %rd1, %rd0; mov.u32 %r0, %tid.x; st.global.u32 [%rd1], %r0;") == 0);
}

TEST_CASE("what is written twice, or changes after the copy, stays a copy") {
  CHECK(copies_left("mov.u32 %r0, %tid.x; mov.u32 %r0, %ctaid.x; st.shared.u32 [%r0], %r0;") == 2);
  CHECK(copies_left("mov.u32 %r0, 1; add.u32 %r0, %r0, 1; mov.u32 %r1, %r0; st.shared.u32 [%r1], %r1;") == 3);
  CHECK(copies_left("setp.eq.u32 %p0, 1, 1; @%p0 mov.u32 %r1, 7; st.shared.u32 [%r1], %r1;") == 2);
}

TEST_CASE("a register keeps its old value in a loop although its source moves on") {
  // %r5 is what %r4 was one turn before.
  runner::bench on(
      runner::kernel_text("mov.u32 %r3, 0; mov.u32 %r6, 0; setp.eq.u32 %p2, 0, 1;\n"
                          "again: @!%p2 bra first; add.u32 %r6, %r6, %r5;\n"
                          "first: setp.eq.u32 %p2, 0, 0; mul.lo.u32 %r4, %r3, 10; mov.u32 %r5, %r4; add.u32 %r3, %r3, 1;\n"
                          "setp.lt.u32 %p1, %r3, 4; @%p1 bra again; st.global.u32 [%rd0], %r6;"));
  const std::uint64_t out = on.upload(runner::words(1));
  on.run({{1}, {1}}, {out});
  CHECK(on.download<std::uint32_t>(out, 1)[0] == 0 + 10 + 20);
}

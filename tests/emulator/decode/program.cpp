#include <tg/emulator/decode/program.hpp>

#include <doctest/doctest.h>

#include <tg/ptx/parse/parse.hpp>

#include "../runner.hpp"

TEST_CASE("kernels and variables are found by name, and go with the program") {
  tg::emulator::memory m(std::size_t{1} << 20);
  {
    const auto p = tg::emulator::program::load(
        runner::module_text(".global .u32 counter; .entry a() { ret; } .visible .entry b(.param .u32 n) .maxntid 128 { ret; }"),
        m);
    CHECK_EQ(p->kernels().size(), 2);
    REQUIRE(p->find_kernel("b").has_value());
    CHECK_EQ(p->kernels()[*p->find_kernel("b")].max_threads[0], 128);
    CHECK_FALSE(p->find_kernel("c").has_value());
    REQUIRE(p->find_symbol("counter").has_value());
    CHECK_EQ(p->find_symbol("counter")->size_bytes, 4);
    CHECK_FALSE(p->find_symbol("a").has_value());
    CHECK_EQ(m.live_count(), 1);
  }
  CHECK_EQ(m.live_count(), 0);
}

namespace { using namespace runner; }  // namespace

TEST_CASE("a module that was built in memory runs like its text") {
  const std::string text =
      kernel_text("mov.u32 %r0, %tid.x; mul.wide.u32 %rd4, %r0, 4; add.u64 %rd4, %rd0, %rd4; st.global.u32 [%rd4], %r0;");
  tg::emulator::memory m(std::size_t{1} << 20);
  const auto from_module = tg::emulator::program::load(tg::ptx::parse(text), m);
  const std::uint64_t out = m.allocate(128);
  const words params{out, 0, 0, 0};
  tg::emulator::run(m, *from_module, 0, {{1}, {32}}, std::as_bytes(std::span(params)));
  for (std::uint32_t i = 0; i < 32; ++i) CHECK_EQ(reinterpret_cast<std::uint32_t*>(m.at(out, 128))[i], i);
  CHECK_EQ(from_module->ptx_line(0, 0), 0);
}

TEST_CASE("a load that fails leaves no memory behind") {
  tg::emulator::memory m(std::size_t{1} << 20);
  const std::string bad = kernel_text("mov.u32 %r0, %pm0;", ".global .u32 x[100];\n");
  CHECK(has(failure([&] { tg::emulator::program::load(bad, m); }), "TG400"));
  CHECK_EQ(m.live_count(), 0);
  CHECK(has(failure([&] { tg::emulator::program::load(kernel_text("", ".extern .global .u32 y;\n"), m); }), "TG401"));
}

TEST_CASE("kernels share the functions of a module but not its shared variables") {
  tg::emulator::memory m(std::size_t{1} << 20);
  const auto p = tg::emulator::program::load(module_text(R"(
    .shared .align 4 .b32 big[1000]; .shared .align 4 .b32 small[10];
    .visible .entry a() { .reg .b32 %r<2>; st.shared.u32 [big], %r0; ret; }
    .visible .entry b() { .reg .b32 %r<2>; st.shared.u32 [small+4], %r0; ret; })"),
                                             m);
  CHECK_EQ(p->kernels()[*p->find_kernel("a")].static_shared_bytes, 4000);
  CHECK_EQ(p->kernels()[*p->find_kernel("b")].static_shared_bytes, 40);
}

TEST_CASE("a kernel that is declared and never defined is none") {
  tg::emulator::memory m(std::size_t{1} << 20);
  const auto p = tg::emulator::program::load(
      module_text("// ptxas refuses this: nothing defines 'a'\n.visible .entry a();\n.visible .entry b() { ret; }\n"), m);
  CHECK_EQ(p->kernels().size(), 1);
  CHECK_FALSE(p->find_kernel("a"));
  CHECK(p->find_kernel("b"));
}

TEST_CASE("text that PTX does not have is refused before it is decoded, registers that nothing wrote are not") {
  tg::emulator::memory m(std::size_t{1} << 20);
  const auto load = [&](const char* body) { return failure([&] { tg::emulator::program::load(kernel_text(body), m); }); };
  CHECK(has(load("cvt %rd2;"), "TG310"));
  CHECK(has(load("ld.global.u32 %r1, %r2;"), "TG311"));
  CHECK_EQ(load("add.u32 %r1, %r2, 1;"), "");
  CHECK_EQ(m.live_count(), 0);
}

TEST_CASE("an external shared array with a size is memory of its own, as ptxas lays it out") {
  runner::bench b(runner::kernel_text(
      "mov.u32 %r1, first; mov.u32 %r2, second; mov.u32 %r3, rest; st.shared.u32 [%r1+60], 1; st.shared.u32 [%r2], 2;"
      "ld.shared.u32 %r4, [%r1+60]; st.global.u32 [%rd0], %r4; sub.u32 %r5, %r3, %r2; st.global.u32 [%rd0+4], %r5;",
      ".extern .shared .align 4 .b8 first[64]; .extern .shared .align 4 .u32 second; .extern .shared .align 4 .b8 rest[];"));
  const std::uint64_t out = b.upload(std::vector<std::uint32_t>(2));
  b.run({{1}, {1}}, {out});
  CHECK(b.program().kernels()[0].static_shared_bytes == 68);
  CHECK(b.download<std::uint32_t>(out, 2)[0] == 1);
}

TEST_CASE("dynamic shared memory begins at a multiple of its alignment, behind the static part of each kernel") {
  runner::bench b(
      runner::kernel_text("mov.u32 %r1, small; mov.u32 %r2, ring; st.shared.u32 [%r1], %r2; ld.shared.u32 %r3, [%r1];"
                          "st.global.u32 [%rd0], %r3;",
                          ".shared .align 8 .b8 small[24]; .extern .shared .align 1024 .b8 ring[];"));
  const std::uint64_t out = b.upload(std::vector<std::uint32_t>(1));
  b.run({{1}, {1}, 64}, {out});
  CHECK(b.program().kernels()[0].static_shared_bytes == 1024);
  CHECK(b.download<std::uint32_t>(out, 1)[0] % 1024 == 0);
}

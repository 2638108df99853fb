#include <tg/emulator/access/heap_report.hpp>

#include <doctest/doctest.h>

#include "../runner.hpp"

TEST_CASE("a pointer into a heap without blocks is reported as such") {
  runner::options how;
  runner::bench b(runner::kernel_text("ld.u32 %r1, [%rd0];", R"(
    .extern .func (.param .b64 r) malloc(.param .b64 bytes);
    .func unused() { .param .b64 v; call (v), malloc, (8); ret; })"));
  b.memory().heap(4096);
  const std::uint64_t inside = b.memory().heap()->allocate(64);
  b.memory().heap()->release(inside);
  CHECK(runner::has(runner::failure([&] { b.run({{1}, {1}}, {inside + 8}, how); }), "TG407"));
  CHECK(runner::has(runner::failure([&] { b.run({{1}, {1}}, {inside + 72}, how); }), "8 bytes past the end of the 64 bytes"));
}

#include <tg/emulator/image/kernel_info.hpp>

#include <doctest/doctest.h>

#include "../runner.hpp"

TEST_CASE("parameters lie at their alignment") {
  tg::emulator::memory m(std::size_t{1} << 20);
  const auto p = tg::emulator::program::load(
      runner::module_text(".visible .entry k(.param .u8 a, .param .u32 b, .param .u16 c, .param .align 16 .b8 d[20], "
                          ".param .f64 e) { .reg .b32 %r<30>; .reg .b64 %rd<5>; ret; }"),
      m);
  const tg::emulator::kernel_info& k = p->kernels()[0];
  const std::size_t offsets[] = {0, 4, 8, 16, 40}, sizes[] = {1, 4, 2, 20, 8};
  REQUIRE_EQ(k.parameters.size(), 5);
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK_EQ(k.parameters[i].offset_bytes, offsets[i]);
    CHECK_EQ(k.parameters[i].size_bytes, sizes[i]);
  }
  CHECK_EQ(k.parameter_bytes, 48);
  CHECK_GE(k.register_count, 16);
}

TEST_CASE("a kernel takes no more registers than its largest block leaves it") {
  tg::emulator::memory m(std::size_t{1} << 20);
  const auto count = [&](const std::string& bounds) {
    std::string text = ".visible .entry k() " + bounds + " { .reg .b32 %r<300>;";
    for (int i = 0; i < 300; ++i) text += " mov.u32 %r" + std::to_string(i) + ", 0;";
    text += " ret; }";
    return tg::emulator::program::load(runner::module_text(text), m)->kernels()[0].register_count;
  };
  CHECK_EQ(count(""), 255);
  CHECK_EQ(count(".maxntid 256, 1, 1"), 255);
  CHECK_EQ(count(".reqntid 96, 4, 1"), 168);
  CHECK_EQ(count(".maxntid 1024, 1, 1"), 64);
}

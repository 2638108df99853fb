#include <tg/emulator/image/image.hpp>

#include <doctest/doctest.h>

#include "../runner.hpp"

TEST_CASE("windows of the address spaces do not overlap each other or global memory") {
  using namespace tg::emulator;
  CHECK_GE(local_window, shared_window + window_bytes);
  CHECK_GE(param_window, local_window + window_bytes);
  CHECK_GE(memory::first_address, param_window + window_bytes);
}

TEST_CASE("the first operation of each instruction is marked, others are not") {
  tg::emulator::memory m(std::size_t{1} << 20);
  const auto p =
      tg::emulator::program::load(runner::kernel_text("setp.lt.and.s32 %p1|%p2, %r1, %r2, %p3; add.u32 %r1, %r1, 1;"), m);
  const auto& image = p->image();
  std::vector<int> firsts(image.instructions.size());
  for (const auto& o : image.code) firsts[o.instruction] += o.is_first;
  CHECK_EQ(firsts, std::vector<int>(image.instructions.size(), 1));
  CHECK_GT(image.code.size(), image.instructions.size());
}

#include <tg/dsl/recorder/traced_kernel.hpp>

#include "../recording.hpp"

TEST_CASE("instructions name their accesses by number") {
  const auto traced = tg::trace(tg::kernel<"copy">(
      tg::block<32>, [](auto block, tg::in<float> x, tg::out<float> y) { y(block.thread.x) = x(block.thread.x); }));
  REQUIRE(traced.accesses.size() == 2);
  CHECK_FALSE(traced.accesses[0].is_write);
  CHECK(traced.accesses[1].is_write);
  int found = 0;
  for (const auto& i : traced.module.functions[0].body)
    if (i.op == tg::ptx::opcode::st) {
      CHECK(i.access == 1);
      ++found;
    }
  CHECK(found == 1);
}

#include <tg/emulator/memory/program_accesses.hpp>

#include <tg/tg.hpp>

#include <numeric>
#include <vector>

#include <doctest/doctest.h>

namespace {

// Blocks of several host threads write one word each and all of them another one, which atomics of others change.
constexpr auto racing = tg::kernel<"racing_blocks">(tg::block<32>, [](auto block, tg::inout<unsigned> x) {
  x(block.index.x + 1u) = x(0) + block.index.x;
  tg::if_(block.thread.x == 0u, [&] { x(0) = block.index.x; });
  tg::if_(block.thread.x == 1u, [&] { tg::atomic_add(x(0), 1u); });
});

}  // namespace

// The thread sanitizer has nothing to say about this one, and the emulator has its own word for it.
TEST_CASE("blocks that race are the program's race, not the emulator's") {
  tg::device gpu("emulator");
  constexpr unsigned blocks = 4096;
  auto x = gpu.upload(std::vector<unsigned>(blocks + 1, 0));
  gpu.launch(racing, tg::grid(blocks), x);
  CHECK(x.to_host()[0] <= 2 * blocks);
}

TEST_CASE("a mark may live inside another one") {
  int value = 1;
  {
    const tg::emulator::program_accesses outer;
    const tg::emulator::program_accesses inner;
    value = 2;
  }
  CHECK(value == 2);
}

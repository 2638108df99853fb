// Proving that a kernel has no race, in a test
//
// The emulator checks what runs; `tg::analyze` looks at the text for all threads, and proves, refutes or leaves open. It finds
// the missing barrier without running anything, with the two threads that meet. `require()` throws what is refuted.
#include <cstdio>

#include <tg/dsl/proof/analyze.hpp>
#include <tg/tg.hpp>

template <bool HasBarrier>
constexpr auto reverse = tg::kernel<"reverse">(tg::block<256>, [](auto block, tg::inout<float> x) {
  auto tile = tg::shared<float>(tg::shape<256>);
  tile(block.thread.x) = x(block.global_index());
  if constexpr (HasBarrier) block.sync();
  x(block.global_index()) = tile(255u - block.thread.x);
});

int main() {
  const auto good = tg::analyze(reverse<true>);
  good.require();
  std::printf("with a barrier: %s, %zu barriers that nothing needs\n", good.race_free() ? "race free" : "not proved",
              good.redundant_barriers().size());
  try {
    tg::analyze(reverse<false>).require();
  } catch (const tg::error& e) {
    std::printf("without: TG%d on line %d\n", e.number(), e.where().line);
    return good.race_free() && good.barriers_met() && e.number() == 230 ? 0 : 1;
  }
  return 1;
}

// A place in a tile from memory.
// expect: TG204
// expect: tg::scatter(index)
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/memory/atomic.hpp>
#include <tg/dsl/memory/shared.hpp>

inline constexpr auto kernel = tg::kernel<"bin_of_a_tile">(tg::block<256>, [](auto block, tg::in<unsigned> at) {
  auto i = block.global_index();
  auto bins = tg::shared<unsigned>(tg::shape<256>);
#ifdef TG_WRONG
  tg::atomic_add(bins(at(i)), 1u);
#else
  tg::atomic_add(bins(tg::scatter(at(i))), 1u);
#endif
});

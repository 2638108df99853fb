// A tile of something that is no number of the language.
// expect: TG192
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/memory/shared.hpp>

inline constexpr auto kernel = tg::kernel<"tile_of_pointers">(tg::block<32>, [](auto block, tg::in<unsigned> x) {
#ifdef TG_WRONG
  auto tile = tg::shared<unsigned*>(tg::shape<32>);
#else
  auto tile = tg::shared<unsigned>(tg::shape<32>);
#endif
  tile(block.thread.x) = x(block.thread.x);
});

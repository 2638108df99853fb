// A vote of a warp about a C++ number, which is no condition.
// expect: TG104
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/flow/if_.hpp>

inline constexpr auto kernel = tg::kernel<"vote_on_a_number">(tg::block<64>, [](auto block, tg::out<unsigned> y) {
#ifdef TG_WRONG
  y(block.thread.x) = block.warp().ballot(1u);
#else
  y(block.thread.x) = block.warp().ballot(true);
#endif
});

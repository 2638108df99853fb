// Two barriers are 0 and 1.
// expect: TG147
// expect: barriers<2>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/bulk/mbarriers.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"past_the_end">(tg::block<32>, [](auto block, tg::out<unsigned> y) {
  auto met = tg::mbarriers<2>(block, 32_c);
  block.sync();
#ifdef TG_WRONG
  met.arrive(2_c);
#else
  met.arrive(1_c);
#endif
  y(block.thread.x) = 1u;
});

// A phase that no arrival could end.
// expect: TG147
// expect: arrivals<0>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/bulk/mbarriers.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"arrivals_of_none">(tg::block<32>, [](auto block, tg::out<unsigned> y) {
#ifdef TG_WRONG
  auto met = tg::mbarriers<1>(block, 0_c);
#else
  auto met = tg::mbarriers<1>(block, 32_c);
#endif
  block.sync();
  auto phase = met.phase(0_c);
  met.arrive(0);
  (void)phase.wait();
  y(block.thread.x) = 1u;
});

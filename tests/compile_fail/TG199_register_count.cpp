// No multiple of 8.
// expect: TG199
// expect: wanted_registers<100>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/cluster/register_count.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"register_count">(tg::block<128>, [](auto block, tg::out<unsigned> y) {
#ifdef TG_WRONG
  tg::lower_registers<100>(block);
#else
  tg::lower_registers<96>(block);
#endif
  y(block.thread.x) = 1u;
});

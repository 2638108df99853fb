// A fence that orders nothing.
// expect: TG158
// expect: reads acquire, writes release
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/memory/fence.hpp>

inline constexpr auto kernel = tg::kernel<"pair">(tg::block<64>, [](auto block, tg::inout<unsigned> u) {
  [[maybe_unused]] const auto i = block.thread.x;
#ifdef TG_WRONG
  tg::fence<tg::order::relaxed>(), u(i) = i;
#else
  tg::fence<tg::order::acq_rel>(), u(i) = i;
#endif
});

// A wait that may leave as many groups pending as there are.
// expect: TG143
// expect: committed<1>
// expect: left_pending<1>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/async/async_groups.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"wait_for_nothing">(tg::block<32>, [](auto, tg::out<float>) {
  tg::async_groups start;
  auto one = start.commit();
#ifdef TG_WRONG
  (void)one.wait(1_c);
#else
  (void)one.wait(0_c);
#endif
});

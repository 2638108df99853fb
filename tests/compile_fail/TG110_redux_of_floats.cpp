// There is no reduction of floats in one instruction.
// expect: TG110
// expect: operation<false, float>
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/warp/redux.hpp>

inline constexpr auto kernel = tg::kernel<"pair">(tg::block<64>, [](auto block, tg::inout<float> x) {
  [[maybe_unused]] const auto i = block.thread.x;
#ifdef TG_WRONG
  x(i) = tg::redux_sum(block.warp(), x(i));
#else
  x(i) = block.warp().sum(x(i));
#endif
});

// A contract that no number keeps.
// expect: TG126
// expect: multiple_of
#include <tg/dsl/kernel/kernel.hpp>

#ifdef TG_WRONG
inline constexpr auto kernel = tg::kernel<"multiple_of_zero">(
    tg::block<256>, [](auto block, tg::out<float> y, tg::scalar<unsigned, tg::multiple_of<0>> n) {
#else
inline constexpr auto kernel = tg::kernel<"multiple_of_zero">(
    tg::block<256>, [](auto block, tg::out<float> y, tg::scalar<unsigned, tg::multiple_of<4>> n) {
#endif
      y(block.thread.x + n) = 0.0f;
    });

// A contract on a float.
// expect: TG126
// expect: integers
#include <tg/dsl/kernel/kernel.hpp>

#ifdef TG_WRONG
inline constexpr auto kernel =
    tg::kernel<"contract_on_float">(tg::block<256>, [](auto block, tg::out<float> y, tg::scalar<float, tg::multiple_of<4>> a) {
#else
inline constexpr auto kernel =
    tg::kernel<"contract_on_float">(tg::block<256>, [](auto block, tg::out<float> y, tg::scalar<float> a) {
#endif
      y(block.thread.x) = a;
    });

// A parameter of another type.
// expect: TG112
// expect: tg::scalar
#include <tg/dsl/kernel/kernel.hpp>

#ifdef TG_WRONG
inline constexpr auto kernel = tg::kernel<"unknown_parameter">(tg::block<256>, [](auto block, float* y) {
#else
inline constexpr auto kernel = tg::kernel<"unknown_parameter">(tg::block<256>, [](auto block, tg::out<float> y) {
#endif
  (void)block;
  (void)y;
});

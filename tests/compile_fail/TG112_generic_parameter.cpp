// A parameter without a type.
// expect: TG112
// expect: tg::scalar
#include <tg/dsl/kernel/kernel.hpp>

#ifdef TG_WRONG
inline constexpr auto kernel = tg::kernel<"generic_parameter">(tg::block<256>, [](auto block, auto y) {
#else
inline constexpr auto kernel = tg::kernel<"generic_parameter">(tg::block<256>, [](auto block, tg::out<float> y) {
#endif
  (void)block;
  (void)y;
});

// A parameter by reference.
// expect: TG112
// expect: by value
#include <tg/dsl/kernel/kernel.hpp>

#ifdef TG_WRONG
inline constexpr auto kernel = tg::kernel<"reference_parameter">(tg::block<256>, [](auto block, tg::out<float>& y) {
#else
inline constexpr auto kernel = tg::kernel<"reference_parameter">(tg::block<256>, [](auto block, tg::out<float> y) {
#endif
  (void)block;
  (void)y;
});

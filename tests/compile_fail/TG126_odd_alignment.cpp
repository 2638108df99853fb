// An alignment that is not a power of two.
// expect: TG126
// expect: power of two
#include <tg/dsl/kernel/kernel.hpp>

#ifdef TG_WRONG
inline constexpr auto kernel = tg::kernel<"odd_alignment">(tg::block<256>, [](auto block, tg::out<float, tg::aligned<24>> y) {
#else
inline constexpr auto kernel = tg::kernel<"odd_alignment">(tg::block<256>, [](auto block, tg::out<float, tg::aligned<32>> y) {
#endif
  y(block.global_index()) = 0.0f;
});

// The variant for newer devices takes another parameter.
// expect: TG162
// expect: parameter_list
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/runtime/variants.hpp>

inline constexpr auto wide = tg::kernel<"wide">(tg::block<32>, [](auto block, tg::out<int> y) { y(block.thread.x) = 1; });
inline constexpr auto other =
    tg::kernel<"other">(tg::block<32>, [](auto block, tg::out<float> y) { y(block.thread.x) = 1.0f; });

#ifdef TG_WRONG
inline constexpr auto kernel = tg::variants(tg::requires_sm<90>(wide), other);
#else
inline constexpr auto kernel = tg::variants(tg::requires_sm<90>(wide), wide);
#endif

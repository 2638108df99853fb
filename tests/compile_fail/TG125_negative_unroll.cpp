// A negative number of repetitions.
// expect: TG125
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/flow/unroll.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"negative_unroll">(tg::block<256>, [](auto block, tg::out<float> y) {
  auto i = block.global_index();
#ifdef TG_WRONG
  tg::unroll<-2>([&](auto k) { y(i + k * 256_c) = 0.0f; });
#else
  tg::unroll<2>([&](auto k) { y(i + k * 256_c) = 0.0f; });
#endif
});

// Sums of a product whose header is not included.
// expect: TG139: include tg/dsl/matrix/fragment.hpp, or tg/tg.hpp
#include <tg/dsl/kernel/kernel.hpp>

#ifndef TG_WRONG
#include <tg/dsl/matrix/fragment.hpp>
#endif

inline constexpr auto kernel = tg::kernel<"forgotten">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y) {
  [[maybe_unused]] tg::accumulator<16, 8, float> sums = 0.0f;
  y(block.thread.x) = x(block.thread.x);
});

// A class template whose header is not included.
// expect: TG139: include tg/dsl/async/async_groups.hpp, or tg/tg.hpp
#include <tg/dsl/kernel/kernel.hpp>

#ifndef TG_WRONG
#include <tg/dsl/async/async_groups.hpp>
#endif

inline constexpr auto kernel = tg::kernel<"forgotten">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y) {
  [[maybe_unused]] tg::async_groups groups;
  y(block.thread.x) = x(block.thread.x);
});

// A word whose header is not included.
// expect: TG139: include tg/dsl/math/exp.hpp, or tg/tg.hpp
// expect-not: TG102
#include <tg/dsl/kernel/kernel.hpp>

#ifndef TG_WRONG
#include <tg/dsl/math/exp.hpp>
#endif

inline constexpr auto kernel = tg::kernel<"forgotten">(
    tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y) { y(block.thread.x) = tg::exp(x(block.thread.x)); });

// A choice by ?: on a device value.
// expect: TG114
// expect: tg::select(c, a, b) in place of c ? a : b
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/math/math.hpp>
#include <tg/dsl/value/let.hpp>

inline constexpr auto kernel =
    tg::kernel<"question_mark">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y, tg::scalar<unsigned> n) {
      const auto i = tg::let(block.global_index());
#ifdef TG_WRONG
      y(i) = i < n ? x(i) : 0.0f;
#else
  y(i) = tg::select(i < n, x(i), 0.0f);
#endif
    });

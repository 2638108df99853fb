// A vector multiplied by a number.
// expect: TG185
// expect: tg::map
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/value/let.hpp>
#include <tg/dsl/value/operators.hpp>

inline constexpr auto kernel =
    tg::kernel<"vector_times_number">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y) {
      const auto i = tg::let(block.global_index());
#ifdef TG_WRONG
      y.vec<4>(i * 4u) = x.vec<4>(i * 4u) * 2.0f;
#else
  y.vec<4>(i * 4u) = tg::map([](auto v) { return v * 2.0f; }, x.vec<4>(i * 4u));
#endif
    });

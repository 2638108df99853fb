// A float shifted.
// expect: TG110
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/value/let.hpp>
#include <tg/dsl/value/operators.hpp>

inline constexpr auto kernel = tg::kernel<"shifted_float">(tg::block<256>, [](auto block, tg::out<unsigned> y) {
  const auto i = tg::let(block.global_index());
#ifdef TG_WRONG
  y(i) = 1.0f << (i & 7u);
#else
  y(i) = 1u << (i & 7u);
#endif
});

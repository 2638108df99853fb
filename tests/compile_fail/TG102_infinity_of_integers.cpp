// Infinity of a type that has none.
// expect: TG102: this number is one of float or double: write tg::infinity<float>
#include <tg/dsl.hpp>

#ifdef TG_WRONG
using number = int;
#else
using number = float;
#endif

constexpr auto kernel = tg::kernel<"k">(tg::block<32>, [](auto block, tg::out<float> y) {
  tg::var<number> least = tg::infinity<number>;
  y(block.thread.x) = tg::cast<float>(least);
});
tg::detail::recordable recorded() { return tg::detail::to_recordable(kernel); }

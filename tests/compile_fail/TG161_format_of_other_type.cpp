// A float for %d.
// expect: TG161
// expect: types<unsigned int, float>
#include <tg/dsl/debug/printf.hpp>
#include <tg/dsl/kernel/kernel.hpp>

inline constexpr auto kernel = tg::kernel<"pair">(tg::block<64>, [](auto block, tg::in<float> x) {
  [[maybe_unused]] const auto i = block.thread.x;
#ifdef TG_WRONG
  tg::printf<"%u: %d">(i, x(i));
#else
  tg::printf<"%u: %f">(i, x(i));
#endif
});

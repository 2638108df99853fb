// Which bits a lane has at the bound, nobody knows.
// expect: TG204
// expect: tg::gather(index)
#include <tg/dsl/kernel.hpp>
#include <tg/dsl/math.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"masked">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y, tg::scalar<unsigned> n) {
  const auto i = block.thread.x;
#ifdef TG_WRONG
  y(i) = x(tg::min(i, n) & 127_c);
#else
  y(i) = x(tg::min(i & 127_c, n));
#endif
});

// The function of a reduction captures a number.
// expect: TG711: a function of elements captures nothing
#include <tg/array.hpp>

void assign(tg::array<float, 1>& y, const tg::array<float, 2>& x, [[maybe_unused]] float least) {
#ifdef TG_WRONG
  y = tg::reduce<1>(x, 0.0f, [least](auto a, auto b) { return tg::max(a, b) + least * 0.0f; });
#else
  y = tg::reduce<1>(x, 0.0f, [](auto a, auto b) { return tg::max(a, b); });
#endif
}

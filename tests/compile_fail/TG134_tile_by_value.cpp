// A tile that looks like a second one.
// expect: TG134
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/memory/shared.hpp>

inline constexpr auto kernel = tg::kernel<"tile_by_value">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y) {
  const auto t = block.thread.x;
  auto now = tg::shared<float>(tg::shape<256>);
#ifdef TG_WRONG
  auto next = now;
#else
  auto next = tg::shared<float>(tg::shape<256>);
#endif
  now(t) = x(t);
  next(t) = now(t) * 0.5f;
  y(t) = now(t) + next(t);
});

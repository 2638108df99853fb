// A pipeline of copies that has no first group.
// expect: TG143
// expect: tg::fill_groups<Count>
#include <tg/dsl.hpp>

#include <tg/dsl/async/async_copy.hpp>
#include <tg/dsl/async/fill_groups.hpp>

#ifdef TG_WRONG
inline constexpr int groups = 0;
#else
inline constexpr int groups = 1;
#endif

inline constexpr auto kernel = tg::kernel<"no_groups">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y) {
  const auto i = tg::let(block.global_index());
  const auto tile = tg::shared<float>(tg::shape<256>);
  auto filled = tg::fill_groups<groups>([&](auto) { tg::async_copy(tile(block.thread.x), x(i)); });
  (void)filled.wait();
  block.sync();
  y(i) = tile(block.thread.x);
});

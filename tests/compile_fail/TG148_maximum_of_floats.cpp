// Floats are added in memory, and nothing else.
// expect: TG148
// expect: asked_reduction
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/bulk/bulk_store.hpp>

inline constexpr auto kernel = tg::kernel<"maximum">(tg::block<32>, [](auto block, tg::inout<float> y) {
  const auto tile = tg::shared<float>(tg::shape<32>);
  tile(block.thread.x) = 1.0f;
  tg::fence_async_proxy();
  block.sync();
  tg::if_(block.thread.x == 0u, [&] {
#ifdef TG_WRONG
    tg::bulk_reduce<tg::reduction::max>(y, 0u, tile);
#else
    tg::bulk_reduce<tg::reduction::add>(y, 0u, tile);
#endif
    tg::bulk_groups<>().commit().wait();
  });
});

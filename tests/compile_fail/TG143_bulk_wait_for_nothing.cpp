// No group may still read its tile.
// expect: TG143
// expect: committed<1>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/bulk/bulk_store.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"bulk_wait">(tg::block<32>, [](auto block, tg::out<float> y) {
  const auto tile = tg::shared<float>(tg::shape<32>);
  tile(block.thread.x) = 1.0f;
  tg::fence_async_proxy();
  block.sync();
  tg::if_(block.thread.x == 0u, [&] {
    tg::bulk_store(y, 0u, tile);
#ifdef TG_WRONG
    (void)tg::bulk_groups<>().commit().wait_read(1_c);
#else
    (void)tg::bulk_groups<>().commit().wait_read();
#endif
  });
});

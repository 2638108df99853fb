// A tile of 256 KB.
// expect: TG124
// expect: bytes<262144>
// expect: 227 KB
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/memory/shared.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"tile_of_256_kb">(tg::block<32>, [](auto block, tg::out<float> y) {
#ifdef TG_WRONG
  auto tile = tg::shared<float>(tg::shape<512, 128>);
#else
  auto tile = tg::shared<float>(tg::shape<256, 128>);
#endif
  tile(0_c, block.thread.x) = 0.0f;
  y(block.thread.x) = tile(0_c, block.thread.x);
});

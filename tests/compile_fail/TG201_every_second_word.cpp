// Every second word of a row.
// expect: TG201
// expect: ways<2>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/memory/shared.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"every_second_word">(tg::block<32>, [](auto block, tg::out<float> y) {
  auto i = block.thread.x;
  auto tile = tg::shared<float>(tg::shape<64>);
  tile(i) = 0.0f;
#ifdef TG_WRONG
  y(i) = tile(i * 2_c);
#else
  y(i) = tile(i);
#endif
});

// A member of the block whose header is not included.
// expect: TG139: include tg/dsl/block/block_reduce.hpp, or tg/tg.hpp
#include <tg/dsl.hpp>

#ifndef TG_WRONG
#include <tg/dsl/block/block_reduce.hpp>
#endif

inline constexpr auto kernel = tg::kernel<"forgotten">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y) {
  const auto i = block.global_index();
  y(i) = block.sum(x(i));
});

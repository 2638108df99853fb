// Pixels of two dimensions are moved by two numbers.
// expect: TG116
// expect: im2col_offsets
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/bulk/im2col_map.hpp>

using namespace tg::literals;

using map = tg::im2col_map<float, tg::shape<24, 8>, tg::corner<-1, -1>, tg::corner<-1, -1>>;

inline constexpr auto kernel = tg::kernel<"offsets">(tg::block<32>, [](auto block, map x, tg::out<float> y) {
#ifdef TG_WRONG
  (void)x(0, 0, 0, 0).moved(1);
#else
  (void)x(0, 0, 0, 0).moved(1, 2);
#endif
  y(block.thread.x) = 1.0f;
});

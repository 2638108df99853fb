// With two dimensions a corner has 8 bits.
// expect: TG149
// expect: corner_t<-200, -1>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/bulk/im2col_map.hpp>

using namespace tg::literals;

#ifdef TG_WRONG
using map = tg::im2col_map<float, tg::shape<24, 8>, tg::corner<-200, -1>, tg::corner<-1, -1>>;
#else
using map = tg::im2col_map<float, tg::shape<24, 8>, tg::corner<-100, -1>, tg::corner<-1, -1>>;
#endif

inline constexpr auto kernel = tg::kernel<"corner">(tg::block<32>, [](auto block, map x, tg::out<float> y) {
  x.prefetch();
  y(block.thread.x) = 1.0f;
});

// Number 0 is the barrier of block.sync().
// expect: TG157
// expect: barrier_id<0>
#include <tg/dsl/block/barrier.hpp>
#include <tg/dsl/kernel/kernel.hpp>

using tg::literals::operator""_c;

inline constexpr auto kernel = tg::kernel<"pair">(tg::block<64>, [](auto block, tg::inout<unsigned> u) {
  [[maybe_unused]] const auto i = block.thread.x;
#ifdef TG_WRONG
  tg::barrier<0>(block, 64_c).sync(), u(i) = i;
#else
  tg::barrier<1>(block, 64_c).sync(), u(i) = i;
#endif
});

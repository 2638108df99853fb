// One and a half warps meet.
// expect: TG157
// expect: constant<48>
// expect: block_t<64, 1, 1>
#include <tg/dsl/block/barrier.hpp>
#include <tg/dsl/kernel/kernel.hpp>

using tg::literals::operator""_c;

inline constexpr auto kernel = tg::kernel<"pair">(tg::block<64>, [](auto block, tg::inout<unsigned> u) {
  [[maybe_unused]] const auto i = block.thread.x;
#ifdef TG_WRONG
  tg::barrier<1>(block, 48_c).sync(), u(i) = i;
#else
  tg::barrier<1>(block, 32_c).sync(), u(i) = i;
#endif
});

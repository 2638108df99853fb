// Two conversions, one argument.
// expect: TG161
// expect: types<unsigned int>
#include <tg/dsl/debug/printf.hpp>
#include <tg/dsl/kernel/kernel.hpp>

inline constexpr auto kernel = tg::kernel<"pair">(tg::block<64>, [](auto block, tg::inout<unsigned> u) {
  [[maybe_unused]] const auto i = block.thread.x;
#ifdef TG_WRONG
  tg::printf<"%u %u">(u(i));
#else
  tg::printf<"%u">(u(i));
#endif
});

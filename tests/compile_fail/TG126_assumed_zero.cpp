// Nothing but 0 is a multiple of 0.
// expect: TG126
// expect: tg::assume_uniform needs a positive number
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/value/assume_uniform.hpp>

inline constexpr auto kernel = tg::kernel<"pair">(tg::block<64>, [](auto block, tg::inout<unsigned> u) {
  [[maybe_unused]] const auto i = block.thread.x;
#ifdef TG_WRONG
  u(i) = tg::assume_uniform<0>(u(0u));
#else
  u(i) = tg::assume_uniform<4>(u(0u));
#endif
});

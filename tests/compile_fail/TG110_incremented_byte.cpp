// A byte that counts.
// expect: TG110
// expect: tg::cast<unsigned>(x)
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/value/let.hpp>
#include <tg/dsl/value/var.hpp>

inline constexpr auto kernel = tg::kernel<"incremented_byte">(tg::block<256>, [](auto block, tg::out<unsigned char> y) {
  const auto i = tg::let(block.global_index());
#ifdef TG_WRONG
  tg::var<unsigned char> k = 0;
  ++k;
  y(i) = k;
#else
  tg::var<unsigned char> k = 0;
  k = 1;
  y(i) = k;
#endif
});

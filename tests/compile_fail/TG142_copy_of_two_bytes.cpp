// An asynchronous copy of two bytes.
// expect: TG142
// expect: bytes<2>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/async/async_copy.hpp>

#ifdef TG_WRONG
using type = unsigned short;
#else
using type = unsigned;
#endif

inline constexpr auto kernel = tg::kernel<"copy_of_two_bytes">(tg::block<32>, [](auto block, tg::in<type> x) {
  auto tile = tg::shared<type>(tg::shape<32>);
  tg::async_copy(tile(block.thread.x), x(block.thread.x));
});

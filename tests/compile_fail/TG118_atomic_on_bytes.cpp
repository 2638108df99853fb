// An atomic on bytes.
// expect: TG118
// expect: 32 bits
// expect: unsigned char
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/memory/atomic.hpp>

#ifdef TG_WRONG
inline constexpr auto kernel =
    tg::kernel<"atomic_on_bytes">(tg::block<256>, [](auto block, tg::inout<unsigned char> y, tg::scalar<unsigned char> v) {
#else
inline constexpr auto kernel =
    tg::kernel<"atomic_on_bytes">(tg::block<256>, [](auto block, tg::inout<unsigned> y, tg::scalar<unsigned> v) {
#endif
      tg::atomic_add(y(block.index.x), v);
    });

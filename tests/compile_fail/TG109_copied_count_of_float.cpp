// The number of elements that an asynchronous copy reads, as a float.
// expect: TG109
// expect: float
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/async/async_copy_first.hpp>

using namespace tg::literals;

#ifdef TG_WRONG
using number = float;
#else
using number = unsigned;
#endif

inline constexpr auto kernel =
    tg::kernel<"copied_count_of_float">(tg::block<32>, [](auto block, tg::in<float> x, tg::scalar<number> n) {
      auto tile = tg::shared<float>(tg::shape<128>);
      tg::async_copy_first(tile.template vec<4>(block.thread.x * 4_c), x.vec<4>(block.thread.x * 4_c), n);
    });

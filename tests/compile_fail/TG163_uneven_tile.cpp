// A tile with rows of ten vectors, copied by 32 threads.
// expect: TG163
// expect: vectors_per_row<10>
// expect: threads_of_block<32>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/async/copy_tile.hpp>

using namespace tg::literals;

#ifdef TG_WRONG
constexpr int columns = 40;
#else
constexpr int columns = 64;
#endif

inline constexpr auto kernel =
    tg::kernel<"uneven_tile">(tg::block<32>, [](auto block, tg::in2<float, tg::multiple_of<4>> x, tg::scalar<unsigned> n) {
      auto tile = tg::shared<float>(tg::shape<16, columns>);
      tg::copy_tile(block, tile, x, 0_c, 0_c, n, n);
    });

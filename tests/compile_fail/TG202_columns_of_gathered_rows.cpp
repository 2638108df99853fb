// Rows that depend on data, and columns that lie far apart in each of them.
// expect: TG202
// expect: sectors<32>
#include <tg/dsl/kernel/kernel.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"columns_of_gathered_rows">(
    tg::block<256>, [](auto block, tg::in2<float> a, tg::in<unsigned> row, tg::out<float> y) {
      auto i = block.thread.x;
#ifdef TG_WRONG
      y(i) = a(tg::gather(row(i)), i * 64_c);
#else
  y(i) = a(tg::gather(row(i)), i);
#endif
    });

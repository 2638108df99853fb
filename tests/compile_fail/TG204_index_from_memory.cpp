// An index from memory.
// expect: TG204
// expect: tg::gather(index)
#include <tg/dsl/kernel/kernel.hpp>

inline constexpr auto kernel =
    tg::kernel<"index_from_memory">(tg::block<256>, [](auto block, tg::in<float> x, tg::in<unsigned> at, tg::out<float> y) {
      auto i = block.global_index();
#ifdef TG_WRONG
      y(i) = x(at(i));
#else
  y(i) = x(tg::gather(at(i)));
#endif
    });

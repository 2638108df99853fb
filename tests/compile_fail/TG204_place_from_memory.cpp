// A store to a place from memory.
// expect: TG204
// expect: tg::scatter(index)
#include <tg/dsl/kernel/kernel.hpp>

inline constexpr auto kernel =
    tg::kernel<"place_from_memory">(tg::block<256>, [](auto block, tg::in<unsigned> at, tg::out<float> y) {
      auto i = block.global_index();
#ifdef TG_WRONG
      y(at(i)) = 1.0f;
#else
  y(tg::scatter(at(i))) = 1.0f;
#endif
    });

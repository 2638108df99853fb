// One of two indices comes from memory: the error says which.
// expect: TG204
// expect: data_dependent_index<tg::diagnosis::types<tg::element<unsigned
// expect: tg::assume_warp_uniform
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/value/assume_uniform.hpp>

inline constexpr auto kernel =
    tg::kernel<"column_from_memory">(tg::block<256>, [](auto block, tg::in2<float> a, tg::in<unsigned> at, tg::out<float> y) {
      auto i = block.global_index();
#ifdef TG_WRONG
      y(i) = a(block.index.x, at(i));
#else
  y(i) = a(block.index.x, tg::assume_warp_uniform(at(i)));
#endif
    });

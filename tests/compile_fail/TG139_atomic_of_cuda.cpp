// An atomic of CUDA by its own name, without tg:: in front.
// expect: TG139: write tg::atomic_add(v(i), x)
#include <tg/dsl.hpp>
#include <tg/dsl/memory/atomic.hpp>

inline constexpr auto kernel =
    tg::kernel<"atomic_of_cuda">(tg::block<256>, [](auto block, tg::in<float> x, tg::inout<float> sum) {
      using namespace tg::literals;
      const auto i = tg::let(block.global_index());
#ifdef TG_WRONG
      atomicAdd(sum(0_c), x(i));
#else
      tg::atomic_add(sum(0_c), x(i));
#endif
    });

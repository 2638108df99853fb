// A kernel whose blocks form no clusters.
// expect: TG154
// expect: block_t<32
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/cluster/cluster.hpp>

using namespace tg::literals;

#ifdef TG_WRONG
inline constexpr auto shape = tg::block<32>;
#else
inline constexpr auto shape = tg::block<32> | tg::cluster<2>;
#endif

inline constexpr auto kernel =
    tg::kernel<"no_cluster">(shape, [](auto block, tg::out<unsigned> y) { y(block.global_index()) = block.cluster().rank; });

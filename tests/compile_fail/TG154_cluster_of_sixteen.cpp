// A cluster of 16 blocks is not portable.
// expect: TG154
// expect: tg::grid(n).cluster(16)
// expect: cluster_t<16
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/cluster/cluster.hpp>

using namespace tg::literals;

#ifdef TG_WRONG
inline constexpr auto shape = tg::block<32> | tg::cluster<16>;
#else
inline constexpr auto shape = tg::block<32> | tg::cluster<8>;
#endif

inline constexpr auto kernel =
    tg::kernel<"sixteen">(shape, [](auto block, tg::out<unsigned> y) { y(block.global_index()) = block.cluster().rank; });

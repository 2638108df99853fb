// Three warps for a block of four.
// expect: TG199
// expect: warps_of_roles<3>
// expect: warps_of_block<4>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/cluster/roles.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"warps_left_over">(tg::block<128>, [](auto block, tg::out<unsigned> y) {
#ifdef TG_WRONG
  constexpr int others = 2;
#else
  constexpr int others = 3;
#endif
  tg::roles(block, tg::warp_role<1>([&](auto role) { y(role.thread) = 1u; }),
            tg::warp_role<others>([&](auto role) { y(role.in_block) = 2u; }));
});

// More registers than the block has when it starts.
// expect: TG199
// expect: registers_of_roles<69632>
// expect: registers_at_launch<64512>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/cluster/roles.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"budget">(tg::block<384> | tg::min_blocks<1>, [](auto block, tg::out<unsigned> y) {
#ifdef TG_WRONG
  constexpr int registers = 80;
#else
  constexpr int registers = 40;
#endif
  tg::roles(block, tg::warpgroup_role<1, registers>([&](auto role) { y(role.thread) = 1u; }),
            tg::warpgroup_role<2, 232>([&](auto role) { y(role.in_block) = 2u; }));
});

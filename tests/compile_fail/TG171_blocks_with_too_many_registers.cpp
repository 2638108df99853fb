// Four blocks of 256 threads with 80 registers each: 64 are there for each thread.
// expect: TG171
// expect: registers<80>
// expect: possible_registers<64>
#include <tg/dsl/kernel/launch_bounds.hpp>

#ifdef TG_WRONG
inline constexpr auto shape = tg::block<256> | tg::max_registers<80> | tg::min_blocks<4>;
#else
inline constexpr auto shape = tg::block<256> | tg::max_registers<80> | tg::min_blocks<3>;
#endif

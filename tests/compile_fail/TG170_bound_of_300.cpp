// A bound of 300 registers per thread.
// expect: TG170
// expect: registers<300>
#include <tg/dsl/kernel/launch_bounds.hpp>

#ifdef TG_WRONG
inline constexpr auto shape = tg::block<256> | tg::max_registers<300>;
#else
inline constexpr auto shape = tg::block<256> | tg::max_registers<255>;
#endif

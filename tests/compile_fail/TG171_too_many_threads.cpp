// Three blocks of 1024 threads beside each other.
// expect: TG171
// expect: blocks<3>
#include <tg/dsl/kernel/launch_bounds.hpp>

#ifdef TG_WRONG
inline constexpr auto shape = tg::block<1024> | tg::min_blocks<3>;
#else
inline constexpr auto shape = tg::block<1024> | tg::min_blocks<2>;
#endif

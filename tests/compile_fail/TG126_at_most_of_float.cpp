// A limit of a float.
// expect: TG126: tg::multiple_of and tg::at_most are contracts on integers
#include <tg/dsl/kernel/kernel.hpp>

#ifdef TG_WRONG
using limited = tg::scalar<float, tg::at_most<64>>;
#else
using limited = tg::scalar<unsigned, tg::at_most<64>>;
#endif

inline constexpr auto kernel = tg::kernel<"limited">(
    tg::block<64>, [](auto block, tg::out<float> y, limited n) { y(block.thread.x) = tg::cast<float>(n); });

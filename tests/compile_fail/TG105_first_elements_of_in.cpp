// The first elements of a vector of a read-only view are stored.
// expect: TG105
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/memory/store_first.hpp>

using namespace tg::literals;

#ifdef TG_WRONG
using row = tg::in<float>;
#else
using row = tg::out<float>;
#endif

inline constexpr auto kernel = tg::kernel<"first_elements_of_in">(tg::block<32>, [](auto block, row y, tg::scalar<unsigned> n) {
  tg::store_first(y.vec<4>(block.thread.x * 4_c), tg::detail::unfilled<tg::vec<float, 4>>(), n);
});

// A loop that commits a group in each round and waits for none.
// expect: TG145
// expect: async_groups<1, 0>
// expect: async_groups<2, 0>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/async/async_groups.hpp>

inline constexpr auto kernel = tg::kernel<"loop_commits_more">(tg::block<32>, [](auto, tg::scalar<unsigned> n) {
  tg::async_groups start;
  (void)tg::for_groups(tg::range(n), start.commit(), [](auto, auto groups) {
    auto two = groups.commit();
#ifdef TG_WRONG
    return two;
#else
    auto ready = two.wait();
    return ready.commit();
#endif
  });
});

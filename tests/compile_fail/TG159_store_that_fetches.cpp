// A store fetches no neighbours.
// expect: TG159
// expect: only a load fetches neighbours
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/memory/cache_hint.hpp>

inline constexpr auto kernel = tg::kernel<"pair">(tg::block<64>, [](auto block, tg::inout<unsigned> u) {
  [[maybe_unused]] const auto i = block.thread.x;
#ifdef TG_WRONG
  tg::store<tg::no_allocate | tg::fetch_128>(u(i), 1u);
#else
  tg::store<tg::no_allocate>(u(i), 1u);
#endif
});

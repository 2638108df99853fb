// A value in place of the condition of a loop.
// expect: TG184
// expect: tg::while_([&] { return
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/flow/while_.hpp>
#include <tg/dsl/value/let.hpp>
#include <tg/dsl/value/var.hpp>

inline constexpr auto kernel =
    tg::kernel<"condition_that_is_no_lambda">(tg::block<256>, [](auto block, tg::out<unsigned> y, tg::scalar<unsigned> n) {
      const auto i = tg::let(block.global_index());
#ifdef TG_WRONG
      tg::var<unsigned> k = 0u;
      tg::while_(k < n, [&] { ++k; });
      y(i) = k;
#else
  tg::var<unsigned> k = 0u;
  tg::while_([&] { return k < n; }, [&] { ++k; });
  y(i) = k;
#endif
    });

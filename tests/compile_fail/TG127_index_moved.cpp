// An index moved in a loop: the value it is assigned has another type.
// expect: TG127
// expect: tg::var<float> s = x(i)
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/value/gather.hpp>
#include <tg/dsl/value/let.hpp>
#include <tg/dsl/value/var.hpp>

inline constexpr auto kernel =
    tg::kernel<"index_moved">(tg::block<256>, [](auto block, tg::in<float> x, tg::inout<float> y, tg::scalar<unsigned> n) {
#ifdef TG_WRONG
      auto i = tg::let(block.global_index());
#else
  tg::var<unsigned> i = block.global_index();
#endif
      tg::for_(tg::range(n), [&](auto) {
        y(tg::scatter(i)) = x(tg::gather(i));
        i = i + 1u;
      });
    });

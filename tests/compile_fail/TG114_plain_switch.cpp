// A C++ switch on an element.
// expect: TG114
// expect: tg::switch_
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/flow/if_.hpp>
#include <tg/dsl/value/let.hpp>

inline constexpr auto kernel = tg::kernel<"plain_switch">(tg::block<256>, [](auto block, tg::in<unsigned> x, tg::out<float> y) {
  const auto i = tg::let(block.global_index());
#ifdef TG_WRONG
  switch (x(i)) {
    case 1: y(i) = 1.0f;
  }
#else
  tg::if_(x(i) == 1u, [&] { y(i) = 1.0f; });
#endif
});

// A C++ while on a variable.
// expect: TG114
// expect: tg::while_
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/flow/while_.hpp>
#include <tg/dsl/value/let.hpp>
#include <tg/dsl/value/var.hpp>

inline constexpr auto kernel = tg::kernel<"plain_while">(tg::block<256>, [](auto block, tg::out<float> y) {
  auto i = block.global_index();
  tg::var<bool> more = true;
#ifdef TG_WRONG
  while (more) more = false;
#else
  tg::while_([&] { return tg::let(more); }, [&] { more = false; });
#endif
  y(i) = 0.0f;
});

// A cast to a struct.
// expect: TG120
// expect: pixel
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/value/cast.hpp>

struct pixel { float red, green, blue; };

inline constexpr auto kernel = tg::kernel<"cast_to_struct">(tg::block<256>, [](auto block, tg::out<float> y) {
  auto i = block.global_index();
#ifdef TG_WRONG
  auto p = tg::cast<pixel>(i);
  y(i) = tg::cast<float>(p);
#else
  auto p = tg::cast<float>(i);
  y(i) = p;
#endif
});

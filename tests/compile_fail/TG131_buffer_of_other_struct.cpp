// A buffer of one struct for a view of another.
// expect: TG131
#include <tg/runtime/device.hpp>

#include <tg/dsl/structs/struct_element.hpp>

struct point { float x, y; };
struct size { float x, y; };
BOOST_HANA_ADAPT_STRUCT(point, x, y);
BOOST_HANA_ADAPT_STRUCT(size, x, y);

inline constexpr auto kernel = tg::kernel<"buffer_of_other_struct">(
    tg::block<32>, [](auto block, tg::inout<point> p) { p(block.thread.x) = p(block.thread.x + 32u); });

void launch(tg::device& gpu) {
#ifdef TG_WRONG
  auto b = gpu.zeros<size>(64);
#else
  auto b = gpu.zeros<point>(64);
#endif
  gpu.launch(kernel, tg::cover(32), b);
}

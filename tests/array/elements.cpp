#include <tg/array/elements.hpp>

#include "arrays.hpp"

TEST_CASE("nothing behind the last element is read or written, whatever the width") {
  tg::device gpu;
  for (std::int64_t n = 1; n < 70; ++n) {
    const arrays::host ones({3, n}, 1);
    for (const auto how : arrays::all_layouts) {
      arrays::on_device<tg::f16, 2> x(gpu, ones, how), y(gpu, arrays::host({3, n}), how);
      y.view = x.view + tg::f16(1.0f);
      CHECK(arrays::excess(y.read(), arrays::host({3, n}, 2), 1e-6) == 0);
      y.view = tg::cast<tg::f16>(tg::softmax<1>(x.view) * static_cast<float>(n));
      CHECK(arrays::excess(y.read(), ones, 1e-3) <= 1);
    }
  }
}

#include <tg/array/columns.hpp>

#include "reductions.hpp"

using arrays::host;
using arrays::on_host;

TEST_CASE("columns of any length and number: one warp, eight or thirty-two share the rows") {
  tg::device gpu;
  std::mt19937 random(random_seed());
  for (const std::int64_t rows : {1, 5, 8, 9, 255, 256, 1000})
    for (const std::int64_t columns : {1, 4, 33, 128, 130}) {
      const host x = arrays::random_numbers<float>({rows, columns}, random);
      const tg::array<float, 2> dx(gpu, {rows, columns}, x.numbers);
      CAPTURE(rows);
      CAPTURE(columns);
      CHECK(arrays::excess(on_host(tg::eval(tg::sum<0>(dx))), arrays::squeeze(arrays::sum(x, {0}), {0}), 1e-4) <= 1);
      const host apart = arrays::minus(x, arrays::mean(x, {0}));
      const host v = arrays::mean(arrays::squares(apart), {0});
      CHECK(arrays::excess(on_host(tg::eval(tg::variance<0>(dx))), arrays::squeeze(v, {0}), 1e-4) <= 1);
      CHECK(arrays::excess(on_host(tg::eval(dx - tg::mean<0>(dx))), apart, 1e-4) <= 1);
      CHECK(on_host(tg::eval(tg::argmax<0>(dx))).numbers ==
            on_host(tg::eval(tg::argmax<1>(tg::eval(tg::transpose(dx))))).numbers);
    }
}

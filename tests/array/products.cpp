#include <tg/array/products.hpp>

#include <tg/array/matmul.hpp>

#include "../random_seed.hpp"
#include "matrices.hpp"

using arrays::host;

TEST_CASE("blocks in groups of rows compute each tile once") {
  tg::device gpu;
  std::mt19937 random(random_seed());
  // More and fewer rows of tiles than a group has, and several matrices.
  for (const auto& [count, rows, columns] :
       {std::array<std::int64_t, 3>{1, 1300, 300}, std::array<std::int64_t, 3>{3, 1100, 200},
        std::array<std::int64_t, 3>{2, 130, 900}, std::array<std::int64_t, 3>{1, 2100, 10}}) {
    const host a = arrays::random_numbers<tg::bf16>({count, rows, 16}, random),
               b = arrays::random_numbers<tg::bf16>({16, columns}, random);
    const tg::array<tg::bf16, 3> da(gpu, {count, rows, 16}, a.numbers);
    const tg::array<tg::bf16, 2> db(gpu, {16, columns}, b.numbers);
    tg::array<float, 3> c(gpu, {count, rows, columns});
    c = 0.0f;
    c = tg::matmul(da, db) + c;  // twice would be seen
    const std::int64_t shown = rows;
    CAPTURE(shown);
    CHECK(arrays::excess_of_products(arrays::on_host(c), arrays::matmul(a, b), a, b) <= 1);
  }
}

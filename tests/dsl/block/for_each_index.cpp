#include <tg/dsl/block/for_each_index.hpp>

#include "../word.hpp"

TEST_CASE("each element is met once by a grid of any size") {
  const auto kernel =
      tg::lower(tg::kernel<"each">(tg::block<64>, [](auto block, tg::inout<unsigned> y, tg::scalar<unsigned> n) {
        tg::for_each_index(block, n, [&](auto i) { y(i) += i + 1u; });
      }));
  CHECK(accuracy::complaints_from_its_sm_on(kernel.ptx) == "");
  for (const unsigned n : {0u, 1u, 63u, 64u, 65u, 128u, 1009u})
    for (const unsigned blocks : {1u, 2u, 20u}) {
      std::vector<unsigned> y(std::max(n, 1u));
      word::launch(kernel.ptx, blocks, y, n);
      for (unsigned i = 0; i < n; ++i) REQUIRE(y[i] == i + 1);
    }
}

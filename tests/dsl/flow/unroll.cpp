#include <tg/dsl/flow/unroll.hpp>

#include <doctest/doctest.h>

TEST_CASE("the body is called once per index, each a constant") {
  int sum = 0;
  tg::unroll<5>([&](auto k) {
    static_assert(tg::is_constant<decltype(k)>);
    sum = 10 * sum + static_cast<int>(k);
  });
  CHECK(sum == 1234);
  tg::unroll<0>([&](auto) { sum = -1; });
  CHECK(sum == 1234);
}

#include <tg/base/extremes.hpp>

#include <doctest/doctest.h>

TEST_CASE("the smaller and the larger of two") {
  static_assert(tg::detail::smaller_of(2, 1) == 1 && tg::detail::smaller_of(-1, 1) == -1 &&
                tg::detail::smaller_of(3u, 3u) == 3u);
  static_assert(tg::detail::larger_of(2, 1) == 2 && tg::detail::larger_of(-1, 1) == 1 && tg::detail::larger_of(3u, 3u) == 3u);
}

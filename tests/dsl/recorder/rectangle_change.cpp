#include <tg/dsl/recorder/rectangle_change.hpp>

#include <doctest/doctest.h>

TEST_CASE("a view begins unchanged") {
  const tg::detail::rectangle_change none;
  CHECK(none.count == 0);
  CHECK_FALSE(none.where.is_known());
}

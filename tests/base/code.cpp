#include <tg/base/code.hpp>

#include <doctest/doctest.h>

TEST_CASE("a code is its number") {
  CHECK(static_cast<int>(tg::code{204}) == 204);
  CHECK(tg::code{204} != tg::code{205});
}

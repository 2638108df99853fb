#include <tg/array/diagnosis.hpp>

#include <doctest/doctest.h>

TEST_CASE("a diagnosis that holds is a complete type") {
  static_assert(sizeof(tg::diagnosis::array_rank<true>) > 0);
  static_assert(sizeof(tg::diagnosis::reduced_axes<true>) > 0);
  CHECK(true);
}

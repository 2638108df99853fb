#include <tg/dsl/memory/full_extent.hpp>

#include <doctest/doctest.h>

#include <type_traits>

TEST_CASE("all of a dimension is a value of a type of its own") {
  static_assert(std::is_empty_v<tg::full_extent_t>);
  static_assert(std::is_same_v<std::remove_const_t<decltype(tg::full_extent)>, tg::full_extent_t>);
  CHECK(true);
}

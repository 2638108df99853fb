#include <tg/dsl/length.hpp>

#include <doctest/doctest.h>

TEST_CASE("a contract of length keeps the alignment that it carries") {
  CHECK(tg::in<float, tg::at_least<100>>::alignment_bytes == 16);
  CHECK(tg::in<float, tg::at_least<100, tg::aligned<4>>>::alignment_bytes == 4);
  CHECK(tg::out2<float, tg::multiple_of<4>, tg::covered<tg::aligned<64>>>::alignment_bytes == 64);
  CHECK(tg::out2<float, tg::multiple_of<4>, tg::covered<>>::leading_multiple_of == 4);
}

TEST_CASE("a view says what it wants of its buffer") {
  using tg::detail::is_covered, tg::detail::least_elements;
  CHECK(least_elements<tg::in<float>::contract> == 0);
  CHECK(least_elements<tg::in<float, tg::at_least<100>>::contract> == 100);
  CHECK_FALSE(is_covered<tg::in<float, tg::at_least<100>>::contract>);
  CHECK(is_covered<tg::inout<float, tg::covered<>>::contract>);
}

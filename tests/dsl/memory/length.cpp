#include <tg/dsl/memory/length.hpp>

#include <doctest/doctest.h>

#include <tg/dsl/memory/view.hpp>

TEST_CASE("options of a view come in any order") {
  CHECK(tg::in<float, tg::at_least<100>>::alignment_bytes == 16);
  CHECK(tg::in<float, tg::at_least<100>, tg::aligned<4>>::alignment_bytes == 4);
  CHECK(tg::out2<float, tg::covered, tg::aligned<64>, tg::multiple_of<4>>::alignment_bytes == 64);
  CHECK(tg::out2<float, tg::multiple_of<4>, tg::covered>::leading_multiple_of == 4);
}

TEST_CASE("a view says what it wants of its buffer") {
  CHECK(tg::in<float>::facts.least_elements == 0);
  CHECK(tg::in<float, tg::at_least<100>>::facts.least_elements == 100);
  CHECK_FALSE(tg::in<float, tg::at_least<100>>::facts.is_covered);
  CHECK(tg::inout<float, tg::covered>::facts.is_covered);
}

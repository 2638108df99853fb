#include <tg/dsl/memory/view_options.hpp>

#include <doctest/doctest.h>

using tg::detail::facts_of_view;

using tg::detail::promised;

static_assert(facts_of_view<1>.rank == 1 && facts_of_view<1>.alignment_bytes == 16 && facts_of_view<1>.is_valid);
static_assert(facts_of_view<4>.rank == 4 && facts_of_view<4>.is_valid);
static_assert(facts_of_view<2, tg::aligned<32>>.rank == 2 && facts_of_view<2, tg::aligned<32>>.alignment_bytes == 32);
static_assert(promised<tg::aligned<32>> == 1 && promised<tg::multiple_of<12>> == 12);

TEST_CASE("one contract is for all strides, several are for one each") {
  constexpr auto one = facts_of_view<3, tg::multiple_of<4>>, each = facts_of_view<3, tg::multiple_of<64>, tg::multiple_of<4>>;
  CHECK(one.step(0).elements == 4);
  CHECK(one.step(1).elements == 4);
  CHECK(each.step(0).elements == 64);
  CHECK(each.step(1).elements == 4);
  CHECK_FALSE(each.step(1).is_known);
  CHECK(each.step(2).is_known);
  CHECK(each.step(2).elements == 1);
}

TEST_CASE("extents give strides, as far as they are known") {
  constexpr auto points = facts_of_view<2, tg::extents<tg::dynamic, 3>>;
  CHECK(points.step(0).is_known);
  CHECK(points.step(0).elements == 3);
  constexpr auto pictures = facts_of_view<3, tg::extents<8, tg::dynamic, 4>>;
  CHECK_FALSE(pictures.step(0).is_known);
  CHECK(pictures.step(0).elements == 4);
  CHECK(pictures.step(1).is_known);
  CHECK(pictures.step(1).elements == 4);
  constexpr auto padded = facts_of_view<3, tg::extents<8, tg::dynamic, 6>, tg::multiple_of<4>>;
  CHECK(padded.step(0).elements == 12);
}

TEST_CASE("what does not go together is not valid, and says nothing else") {
  CHECK_FALSE(facts_of_view<0>.is_valid);
  CHECK_FALSE(facts_of_view<5>.is_valid);
  CHECK(facts_of_view<5>.rank == 1);
  CHECK_FALSE(facts_of_view<2, float>.is_valid);
  CHECK_FALSE(facts_of_view<2, tg::multiple_of<4>, tg::multiple_of<4>>.is_valid);
  CHECK_FALSE(facts_of_view<4, tg::extents<2, 2, 2, 2, 2>>.is_valid);
  CHECK_FALSE(facts_of_view<3, tg::extents<2, 2>>.is_valid);
}

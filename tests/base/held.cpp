#include <tg/base/held.hpp>

#include <doctest/doctest.h>

#include <tg/base/narrow_float.hpp>

#include "../unqualified.hpp"

using unqualified::reaches_detail;

namespace tg {
namespace detail {
struct bare {};
namespace held {
struct kept {};
template <class X> struct node_of_kept {};
}  // namespace held
}  // namespace detail
struct public_of_bare : detail::bare {};
struct public_of_kept : detail::kept {};
}  // namespace tg

TEST_CASE("a type of tg::detail is found as itself, as a base and as an argument of a template") {
  CHECK(reaches_detail<tg::detail::bare>);
  CHECK(reaches_detail<tg::public_of_bare>);
  CHECK(reaches_detail<tg::detail::node_of_kept<tg::detail::bare>>);
}

TEST_CASE("what a user holds does not lead to functions of tg::detail") {
  CHECK_FALSE(reaches_detail<tg::detail::kept>);
  CHECK_FALSE(reaches_detail<tg::public_of_kept>);
  CHECK_FALSE(reaches_detail<tg::detail::node_of_kept<tg::public_of_kept>>);
  CHECK_FALSE(reaches_detail<tg::f16>);
  CHECK_FALSE(reaches_detail<tg::bf16>);
  CHECK_FALSE(reaches_detail<tg::tf32>);
  CHECK_FALSE(reaches_detail<tg::f8e4m3>);
  CHECK_FALSE(reaches_detail<tg::f8e5m2>);
}

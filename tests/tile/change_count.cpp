#include <tg/tile/change_count.hpp>

#include <doctest/doctest.h>

TEST_CASE("copies of a count share it") {
  const auto first = tg::detail::change_count::start();
  tg::detail::change_count second = first, none;
  CHECK(!none);
  CHECK(none.count() == 0);
  first.add({});
  CHECK(second.count() == 1);
  {
    const tg::detail::change_count third = second;
    third.add({});
  }
  CHECK(first.count() == 2);
  second = none;
  CHECK(!second);
  second = first;
  tg::detail::change_count& same = second;
  second = same;
  CHECK(second.count() == 2);
}

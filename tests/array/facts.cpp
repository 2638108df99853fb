#include <tg/array/facts.hpp>

#include <doctest/doctest.h>

using tg::detail::axis_list;
using tg::detail::tree_counts;

TEST_CASE("an operand of fewer dimensions lies along the last axes") {
  axis_list axes;
  for (const int a : {0, 4, 2}) axes.add(a);
  const axis_list last = axes.last(2);
  CHECK(last.count == 2);
  CHECK(last[0] == 4);
  CHECK(last[1] == 2);
  CHECK(axes.last(0).count == 0);
  CHECK(axes.mask() == 0b10101);
}

TEST_CASE("what two parts of an expression hold adds up") {
  const tree_counts sum = tree_counts{1, 2, 3, 4} + tree_counts{10, 20, 30, 40};
  CHECK(sum.leaves == 11);
  CHECK(sum.scalars == 22);
  CHECK(sum.reductions == 33);
  CHECK(sum.numbers == 44);
}

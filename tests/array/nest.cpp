#include <tg/array/nest.hpp>

#include <doctest/doctest.h>

#include <initializer_list>

using tg::detail::axis_nest;
using tg::detail::nest_axis;

namespace {

nest_axis axis(std::int64_t extent, int number, std::initializer_list<std::int64_t> strides) {
  nest_axis out{extent, number, {}};
  std::size_t k = 0;
  for (const auto s : strides) out.stride[k++] = s;
  return out;
}

}  // namespace

TEST_CASE("axes that are one line in all arrays become one") {
  axis_nest nest;
  nest.add(axis(3, 0, {80, 80}));
  nest.add(axis(4, 1, {20, 20}));
  nest.add(axis(5, 2, {4, 4}));
  nest.join(2, 0);
  CHECK(nest.count == 1);
  CHECK(nest[0].extent == 60);
  CHECK(nest[0].number == -1);
  CHECK(nest.is_dense(0, 4));
  CHECK(!nest.is_dense(0, 8));
}

TEST_CASE("a gap in one of the arrays, or a number that is asked for, keeps axes apart") {
  axis_nest gap;
  gap.add(axis(4, 0, {20, 24}));
  gap.add(axis(5, 1, {4, 4}));
  gap.join(2, 0);
  CHECK(gap.count == 2);
  CHECK(gap.is_dense(0, 4));
  CHECK(!gap.is_dense(1, 4));

  axis_nest pinned;
  pinned.add(axis(4, 0, {20}));
  pinned.add(axis(5, 1, {4}));
  pinned.join(1, 0b10);
  CHECK(pinned.count == 2);
  CHECK(pinned.elements() == 20);
}

TEST_CASE("an array that broadcasts along all of a line does not break it") {
  axis_nest nest;
  nest.add(axis(4, 0, {20, 0}));
  nest.add(axis(5, 1, {4, 0}));
  nest.join(2, 0);
  CHECK(nest.count == 1);
  CHECK(nest.moves_of(0) == 1);
  CHECK(nest.moves_of(1) == 0);
}

TEST_CASE("the axis of the smallest steps becomes the last") {
  axis_nest nest;
  nest.add(axis(3, 0, {4, 4}));
  nest.add(axis(5, 1, {12, 12}));
  nest.sort(2, 0);
  CHECK(nest[1].number == 0);
  nest.join(2, 0);
  CHECK(nest.count == 1);

  // Where the first does not move along an axis, the others decide.
  axis_nest other;
  other.add(axis(3, 0, {0, 4}));
  other.add(axis(5, 1, {0, 12}));
  other.sort(2, 0);
  CHECK(other[1].number == 0);
}

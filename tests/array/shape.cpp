#include <tg/array/shape.hpp>

#include <doctest/doctest.h>

#include "../runtime/hand_written.hpp"

using hand_written::error_of;

TEST_CASE("a shape has extents, a count and a text") {
  const tg::array_shape s{3, 4u, std::size_t{5}};
  static_assert(std::is_same_v<decltype(s), const tg::array_shape<3>>);
  CHECK(s.count() == 60);
  CHECK(s[1] == 4);
  CHECK(s == tg::array_shape<3>{3, 4, 5});
  CHECK(!(s == tg::array_shape<3>{3, 4, 6}));
  CHECK(tg::array_shape<0>{}.count() == 1);
  CHECK(tg::detail::shape_text(s.extents.data(), 3) == "(3, 4, 5)");
  CHECK(tg::detail::shape_text(s.extents.data(), 1) == "(3,)");
  CHECK(tg::detail::shape_text(s.extents.data(), 0) == "()");
}

TEST_CASE("shapes that cannot be are refused") {
  const std::int64_t negative[] = {3, -1}, huge[] = {std::int64_t{1} << 40, std::int64_t{1} << 40},
                     none[] = {0, std::int64_t{1} << 60};
  CHECK(error_of([&] { tg::detail::checked_count(negative, 2, 4, {}); }).number == 705);
  CHECK(error_of([&] { tg::detail::checked_count(huge, 2, 4, {}); }).number == 705);
  CHECK(tg::detail::checked_count(none, 2, 4, {}) == 0);
  CHECK(error_of([&] { tg::detail::require_elements(5, none, 1, {}); }).says("5 elements for an array of shape (0,)"));
}

TEST_CASE("dense strides go from the last dimension outwards") {
  const std::int64_t extents[] = {3, 4, 5};
  std::int64_t strides[3];
  tg::detail::dense_strides(extents, 3, strides);
  CHECK(strides[0] == 20);
  CHECK(strides[1] == 5);
  CHECK(strides[2] == 1);
}

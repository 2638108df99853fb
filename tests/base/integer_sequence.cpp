#include <tg/base/integer_sequence.hpp>

#include <doctest/doctest.h>

#include <type_traits>

namespace {

using namespace tg::detail;

template <int... N> constexpr int sum_of(integer_sequence<int, N...>) { return (0 + ... + N); }

}  // namespace

TEST_CASE("numbers count up from 0") {
  CHECK(std::is_same_v<make_integer_sequence<int, 0>, integer_sequence<int>>);
  CHECK(std::is_same_v<make_integer_sequence<int, 3>, integer_sequence<int, 0, 1, 2>>);
  CHECK(std::is_same_v<make_index_sequence<2>, index_sequence<0, 1>>);
  CHECK(std::is_same_v<index_sequence_for<int, float>, index_sequence<0, 1>>);
  CHECK(!std::is_same_v<make_integer_sequence<long, 1>, make_integer_sequence<int, 1>>);
  CHECK(sum_of(make_integer_sequence<int, 200>{}) == 19900);
}

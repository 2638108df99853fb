#include <tg/base/limits.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace {

template <class... T> constexpr bool are_integers_right() {
  return ((tg::detail::largest_integer<T> == std::numeric_limits<T>::max() &&
           tg::detail::least_integer<T> == std::numeric_limits<T>::min()) &&
          ...);
}
template <class T> constexpr bool are_floats_right() {
  using limits = std::numeric_limits<T>;
  return tg::infinity<T> == limits::infinity() && tg::largest_finite<T> == limits::max() &&
         -tg::largest_finite<T> == limits::lowest();
}

}  // namespace

TEST_CASE("limits are those of <limits>") {
  CHECK(are_integers_right<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, int, unsigned, long, unsigned long,
                           long long, unsigned long long>());
  CHECK(are_floats_right<float>());
  CHECK(are_floats_right<double>());
  CHECK(std::isnan(tg::not_a_number<float>));
  CHECK(std::isnan(tg::not_a_number<double>));
}

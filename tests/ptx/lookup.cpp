#include <tg/ptx/lookup.hpp>

#include <doctest/doctest.h>

#include <array>
#include <string_view>

TEST_CASE("names are found whatever their order, and others are not") {
  constexpr std::array<std::string_view, 4> names = {"pear", "apple", "fig", "applesauce"};
  static constexpr auto table = tg::ptx::detail::sorted_names(names);
  static_assert(tg::ptx::detail::find_name(table, "fig", 99) == 2);
  CHECK(tg::ptx::detail::find_name(table, "apple", 99) == 1);
  CHECK(tg::ptx::detail::find_name(table, "applesauce", 99) == 3);
  CHECK(tg::ptx::detail::find_name(table, "app", 99) == 99);
  CHECK(tg::ptx::detail::find_name(table, "zebra", 99) == 99);
}

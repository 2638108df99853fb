#include <tg/ptx/lookup.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

TEST_CASE("names are found whatever their order, and others are not") {
  constexpr std::array<std::string_view, 5> names = {"", "pear", "apple", "fig", "applesauce"};
  const tg::ptx::detail::name_index index(names);
  for (std::uint16_t i = 0; i < names.size(); ++i) CHECK(index.find(names[i], 99) == i);
  for (const std::string_view other : {"app", "apples", "zebra", "Fig"}) CHECK(index.find(other, 99) == 99);
}

TEST_CASE("no name hides another") {
  std::array<std::string_view, 1000> names;
  std::array<std::string, 1000> texts;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = texts[i] = "m" + std::to_string(i);
  const tg::ptx::detail::name_index index(names);
  for (std::uint16_t i = 0; i < names.size(); ++i) CHECK(index.find(names[i], 9999) == i);
  CHECK(index.find("m1000", 9999) == 9999);
}

#include <tg/ptx/ir/lookup.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

TEST_CASE("names are found whatever their order, and others are not") {
  constexpr const char* names[] = {"", "pear", "apple", "fig", "applesauce"};
  const tg::ptx::detail::name_index index(names);
  for (std::uint16_t i = 0; i < std::size(names); ++i) CHECK(index.find(names[i], 99) == i);
  for (const std::string_view other : {"app", "apples", "zebra", "Fig"}) CHECK(index.find(other, 99) == 99);
}

TEST_CASE("no name hides another") {
  const char* names[1000];
  std::array<std::string, 1000> texts;
  for (std::size_t i = 0; i < texts.size(); ++i) names[i] = (texts[i] = "m" + std::to_string(i)).c_str();
  const tg::ptx::detail::name_index index(names);
  for (std::uint16_t i = 0; i < texts.size(); ++i) CHECK(index.find(names[i], 9999) == i);
  CHECK(index.find("m1000", 9999) == 9999);
}

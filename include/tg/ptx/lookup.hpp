// Name → number by binary search in a table sorted by the compiler.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tg::ptx::detail {

struct named {
  std::string_view name;
  std::uint16_t number;
};

template <std::size_t N>
constexpr std::array<named, N> sorted_names(const std::array<std::string_view, N>& names) {
  std::array<named, N> out{};
  for (std::size_t i = 0; i < N; ++i) out[i] = {names[i], static_cast<std::uint16_t>(i)};
  std::sort(out.begin(), out.end(), [](const named& a, const named& b) { return a.name < b.name; });
  return out;
}

template <std::size_t N>
constexpr std::uint16_t find_name(const std::array<named, N>& table, std::string_view text, std::uint16_t missing) {
  const auto at = std::lower_bound(table.begin(), table.end(), text,
                                   [](const named& row, std::string_view key) { return row.name < key; });
  return at != table.end() && at->name == text ? at->number : missing;
}

}  // namespace tg::ptx::detail

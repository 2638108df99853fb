// Name → number through a hash table. It is filled at first use, not by the compiler, which would do it again for every
// file that includes this.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <tg/base/fixed_array.hpp>

namespace tg::ptx::detail {

/// The positions of `N` names.
template <std::size_t N> class name_index {
 public:
  explicit name_index(const char* const (&names)[N]) {
    for (std::size_t i = 0; i < N; ++i) rows_[place_of(names[i])] = {names[i], static_cast<std::uint16_t>(i)};
  }

  std::uint16_t find(std::string_view text, std::uint16_t missing) const {
    const row& found = rows_[place_of(text)];
    return found.name == text && found.name.data() != nullptr ? found.number : missing;
  }

 private:
  struct row {
    std::string_view name;
    std::uint16_t number = 0;
  };

  static constexpr std::size_t size = std::bit_ceil(2 * N);

  // Where `text` is, or would be.
  std::size_t place_of(std::string_view text) const {
    std::uint32_t hash = 0;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x01000193u;
    std::size_t at = (hash ^ hash >> 15) % size;
    while (rows_[at].name.data() != nullptr && rows_[at].name != text) at = (at + 1) % size;
    return at;
  }

  fixed_array<row, size> rows_{};
};

}  // namespace tg::ptx::detail

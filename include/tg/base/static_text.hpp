// Text that the program holds from beginning to end, without <string_view>: names of kernels and of element types.
#pragma once

#include <cstddef>

namespace tg {

/// Characters that last as long as the program, with a zero behind them. It is compared by its characters, converts to
/// std::string and std::string_view, and prints into a stream; `text` is what C functions take.
struct static_text {
  const char* text = "";

  constexpr static_text() = default;
  constexpr static_text(const char* characters) : text(characters) {}

  constexpr std::size_t size() const {
    std::size_t count = 0;
    while (text[count] != '\0') ++count;
    return count;
  }

  constexpr bool empty() const { return *text == '\0'; }

  // `traits_type` is what std::string and std::string_view have in common.
  template <class String> requires requires { typename String::traits_type; }
  constexpr operator String() const {
    return String(text, size());
  }

  friend constexpr bool operator==(static_text a, static_text b) {
    std::size_t i = 0;
    while (a.text[i] == b.text[i] && a.text[i] != '\0') ++i;
    return a.text[i] == b.text[i];
  }

  template <class String> requires requires { typename String::traits_type; }
  friend constexpr bool operator==(static_text a, const String& b) {
    return b == a.text;
  }

  template <class Stream> friend auto operator<<(Stream& to, static_text from) -> decltype(to << "") { return to << from.text; }
};

}  // namespace tg

// What every part of the printer appends to.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tg/base/error.hpp>
#include <tg/ptx/codes.hpp>

namespace tg::ptx::detail {

constexpr bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

/// A name as PTX spells it; names that begin with % are left to registers.
constexpr bool is_name(std::string_view text) {
  if (text.empty() || (text[0] >= '0' && text[0] <= '9') || text == "_" || text == "$") return false;
  for (const char c : text)
    if (!is_name_char(c)) return false;
  return true;
}

/// A file name or the text of a pragma, as it can stand between quotes.
inline std::string printable(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c < 0x20 || c > 0x7e || c == '"' || c == '\\') c = '_';
  return out;
}

/// Errors: TG319 for a name that PTX cannot spell.
inline void require_name(std::string_view text) {
  if (!is_name(text))
    throw error(bad_name, "'" + printable(text) + "' is no PTX name",
                "use letters, digits, _ and $, and no digit first");
}

/// A string that grows, with the number of the line it has come to.
class text_out {
 public:
  void put(std::string_view text) { text_.append(text); }
  void put(char c) { text_.push_back(c); }
  template <class Int>
  void put_number(Int value) {
    char digits[24];
    text_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  }
  void put_hex(std::uint64_t value, int digits) {
    static constexpr char digit[] = "0123456789ABCDEF";
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) put(digit[value >> shift & 15]);
  }
  void put_name(std::string_view text) {
    require_name(text);
    put(text);
  }
  void end_line() {
    put('\n');
    ++line_;
  }
  /// Texts, characters and numbers, and the end of the line.
  template <class... Parts>
  void put_line(const Parts&... parts) {
    (put_part(parts), ...);
    end_line();
  }

  std::uint32_t line() const { return line_; }
  void reserve(std::size_t bytes) { text_.reserve(bytes); }
  std::string take() { return std::move(text_); }

 private:
  template <class Part>
  void put_part(const Part& part) {
    if constexpr (std::is_integral_v<Part> && !std::is_same_v<Part, char>)
      put_number(part);
    else
      put(part);
  }

  std::string text_;
  std::uint32_t line_ = 1;
};

}  // namespace tg::ptx::detail

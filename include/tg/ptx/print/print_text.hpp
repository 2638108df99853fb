// What every part of the printer appends to.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
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
    throw error(bad_name, "'" + printable(text) + "' is no PTX name", "use letters, digits, _ and $, and no digit first");
}

/// Puts `part` at `at`, where there is room for it, as all of these do; returns the place behind it.
inline char* write(char* at, char part) {
  *at = part;
  return at + 1;
}
inline char* write(char* at, std::string_view part) {
  std::memcpy(at, part.data(), part.size());
  return at + part.size();
}
template <class Int> char* write_number(char* at, Int value) {
  return std::to_chars(at, at + std::numeric_limits<Int>::digits10 + 2, value).ptr;
}
inline char* write_hex(char* at, std::uint64_t value, int digits) {
  static constexpr char digit[] = "0123456789ABCDEF";
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) *at++ = digit[value >> shift & 15];
  return at;
}

/// A text that grows, with the number of the line it has come to.
class text_out {
 public:
  text_out() = default;
  text_out(const text_out&) = delete;
  text_out& operator=(const text_out&) = delete;

  void put(std::string_view text) { at_ = write(room(at_, text.size()), text); }
  void put(char c) { at_ = write(room(at_, 1), c); }
  template <class Int> void put_number(Int value) { at_ = write_number(room(at_, 24), value); }
  void put_hex(std::uint64_t value, int digits) { at_ = write_hex(room(at_, 16), value, digits); }
  void put_name(std::string_view text) {
    require_name(text);
    put(text);
  }
  void end_line() {
    put('\n');
    ++line_;
  }
  /// Texts, characters and numbers, and the end of the line.
  template <class... Parts> void put_line(const Parts&... parts) {
    (put_part(parts), ...);
    end_line();
  }

  /// Where the text ends, for those that write there themselves: they ask for room, and say where it ends now.
  char* end() const { return at_; }
  void end(char* at) { at_ = at; }
  /// `at`, or the same place of a longer text, with room for `bytes`.
  char* room(char* at, std::size_t bytes) { return static_cast<std::size_t>(limit_ - at) >= bytes ? at : longer(at, bytes); }

  std::uint32_t line() const { return line_; }
  void reserve(std::size_t bytes) { at_ = room(at_, bytes); }
  std::string take() {
    text_.resize(static_cast<std::size_t>(at_ - text_.data()));
    std::string out = std::exchange(text_, {});
    at_ = limit_ = text_.data();
    return out;
  }

 private:
  template <class Part> void put_part(const Part& part) {
    if constexpr (std::is_integral_v<Part> && !std::is_same_v<Part, char>) put_number(part);
    else put(part);
  }

  [[gnu::cold]] char* longer(char* at, std::size_t bytes) {
    const auto size = static_cast<std::size_t>(at - text_.data());
    text_.resize(std::max(2 * size, size + bytes));
    limit_ = text_.data() + text_.size();
    return text_.data() + size;
  }

  std::string text_;  // as long as there is room; the text ends at `at_`
  char* at_ = text_.data();
  char* limit_ = at_;
  std::uint32_t line_ = 1;
};

}  // namespace tg::ptx::detail

// PTX text → words.
#pragma once

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include <tg/base/error.hpp>
#include <tg/base/number_text.hpp>
#include <tg/ptx/codes.hpp>
#include <tg/ptx/ir/opcode.hpp>
#include <tg/ptx/ir/opcode_name.hpp>

namespace tg::ptx::detail {

enum class word_kind : std::uint8_t {
  end,
  name,    // add, %r1, $L_2, _
  dotted,  // .s32, .reg, .L2::128B; text without the dot
  integer,
  f32,          // 0f3F800000
  f64,          // 0d… and 1.5e3
  string,       // text without the quotes
  punctuation,  // text: , ; : ( ) [ ] { } < > | ! @ + - * / % & ^ ~ = ? and << >> <= >= == != && ||
};

struct word {
  word_kind kind = word_kind::end;
  std::string_view text;
  std::uint64_t value = 0;  // of a number: the integer or the bits
  std::uint32_t offset = 0;
  std::uint32_t line = 1;
  bool is_aside = false;  // behind `//tg:`, on its line

  bool is(std::string_view punctuation) const { return kind == word_kind::punctuation && text == punctuation; }
  bool is_dotted(std::string_view name) const { return kind == word_kind::dotted && text == name; }
};

/// One word of look-ahead over the text.
class lexer {
 public:
  explicit lexer(std::string_view text) : text_(text) {
    if (text.size() >= 0xffffffff) fail(too_large, "a PTX text of 4 GiB or more");
    advance();
  }

  const word& peek() const { return next_; }
  word take() {
    const word out = next_;
    advance();
    return out;
  }
  bool accept(std::string_view punctuation) {
    if (!next_.is(punctuation)) return false;
    advance();
    return true;
  }
  bool accept_dotted(std::string_view name) {
    if (!next_.is_dotted(name)) return false;
    advance();
    return true;
  }
  void expect(std::string_view punctuation) {
    if (!accept(punctuation)) fail(syntax_error, "'" + std::string(punctuation) + "' expected");
  }
  std::string_view expect_name(std::string_view what) {
    if (next_.kind != word_kind::name) fail(syntax_error, std::string(what) + " expected");
    return take().text;
  }
  std::string_view expect_string(std::string_view what) {
    if (next_.kind != word_kind::string) fail(syntax_error, std::string(what) + " expected");
    return take().text;
  }
  std::uint64_t expect_integer(std::string_view what, std::uint64_t most) {
    if (next_.kind != word_kind::integer) fail(syntax_error, std::string(what) + " expected");
    if (next_.value > most) fail(bad_number, std::string(what) + " is larger than " + std::to_string(most));
    return take().value;
  }
  /// True where the next word stands right behind `previous`.
  bool touches(const word& previous) const { return next_.offset == previous.offset + previous.text.size(); }

  /// Past the next such punctuation, whatever stands before it.
  void skip_past(std::string_view punctuation) {
    while (next_.kind != word_kind::end && !next_.is(punctuation)) advance();
    expect(punctuation);
  }
  /// Past the brace that matches the one just taken.
  void skip_braces() {
    for (int depth = 1; depth > 0;) {
      if (next_.kind == word_kind::end) fail(syntax_error, "'}' expected");
      if (next_.is("{")) ++depth;
      if (next_.is("}")) --depth;
      advance();
    }
  }
  void skip_line() {
    const std::size_t end = text_.find('\n', next_.offset);
    at_ = end == std::string_view::npos ? text_.size() : end;
    advance();
  }

  [[noreturn]] void fail(code number, const std::string& message, std::string_view fix = {}) const {
    fail_at(next_, number, message, fix);
  }
  [[noreturn, gnu::cold]] void fail_at(const word& where, code number, const std::string& message,
                                       std::string_view fix = {}) const {
    std::size_t begin = where.offset;
    while (begin > 0 && text_[begin - 1] != '\n') --begin;
    const std::size_t column = where.offset - begin + 1;
    std::string shown(text_.substr(begin, std::min<std::size_t>(text_.find('\n', begin) - begin, 100)));
    for (char& c : shown)
      if (c < 0x20 || c > 0x7e) c = ' ';
    throw error(number, message + ", column " + std::to_string(column) + " of '" + shown + "'", fix, std::string("ptx"),
                static_cast<int>(where.line));
  }

 private:
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$'; }
  static bool is_name_char(char c) { return is_letter(c) || is_digit(c); }
  static int hex_digit(char c) {
    if (is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return 99;
  }
  char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }

  void skip_blank() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        ++line_;
        ++at_;
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
        ++at_;
      } else if (text_.substr(at_, aside.size()) == aside) {
        at_ += aside.size();
        aside_line_ = line_;
      } else if (c == '/' && at(at_ + 1) == '/') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == '/' && at(at_ + 1) == '*') {
        const std::size_t end = text_.find("*/", at_ + 2);
        const std::size_t stop = end == std::string_view::npos ? text_.size() : end + 2;
        for (; at_ < stop; ++at_) line_ += text_[at_] == '\n' ? 1 : 0;
      } else if (c == '\0' && text_.find_first_not_of('\0', at_) == std::string_view::npos) {
        at_ = text_.size();  // the terminating zeros of a C string
      } else {
        return;
      }
    }
  }

  void advance() {
    skip_blank();
    next_ = word{};
    next_.offset = static_cast<std::uint32_t>(at_);
    next_.line = line_;
    next_.is_aside = aside_line_ == line_;
    if (at_ >= text_.size()) return;
    const char c = text_[at_];
    std::size_t end = at_ + 1;
    if (is_letter(c) || (c == '%' && is_letter(at(at_ + 1)))) {
      while (is_name_char(at(end))) ++end;
      set(word_kind::name, end);
    } else if (is_digit(c) || (c == '.' && is_digit(at(at_ + 1)) && !is_letter(at(at_ + 2)))) {
      number();
    } else if (c == '.' && is_name_char(at(at_ + 1))) {
      while (is_name_char(at(end)) || (at(end) == ':' && at(end + 1) == ':' && is_name_char(at(end + 2))) ||
             (at(end) == ':' && at(end - 1) == ':'))
        ++end;
      set(word_kind::dotted, end);
      next_.text.remove_prefix(1);
      ++next_.offset;
    } else if (c == '"') {
      while (end < text_.size() && text_[end] != '"' && text_[end] != '\n') end += text_[end] == '\\' ? 2 : 1;
      if (at(end) != '"') fail(syntax_error, "a string without its end");
      next_.kind = word_kind::string;
      next_.text = text_.substr(at_ + 1, end - at_ - 1);
      at_ = end + 1;
    } else {
      static constexpr std::string_view doubles[] = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};
      static constexpr std::string_view singles = ",;:()[]{}<>|!@+-*/%&^~=?";
      for (const std::string_view two : doubles)
        if (text_.substr(at_, 2) == two) return set(word_kind::punctuation, at_ + 2);
      if (singles.find(c) == std::string_view::npos)
        fail(syntax_error, c > 0x20 && c < 0x7f ? "'" + std::string(1, c) + "' has no meaning here"
                                                : "byte " + std::to_string(static_cast<unsigned char>(c)) + " is not PTX");
      set(word_kind::punctuation, end);
    }
  }

  void set(word_kind kind, std::size_t end) {
    next_.kind = kind;
    next_.text = text_.substr(at_, end - at_);
    at_ = end;
  }

  void number() {
    const char second = at(at_ + 1);
    if (text_[at_] == '0' && (second == 'f' || second == 'F') && hex_digit(at(at_ + 2)) < 16) return bits(word_kind::f32, 8);
    if (text_[at_] == '0' && (second == 'd' || second == 'D') && hex_digit(at(at_ + 2)) < 16) return bits(word_kind::f64, 16);
    if (text_[at_] == '0' && (second == 'x' || second == 'X')) return integer(at_ + 2, 16);
    if (text_[at_] == '0' && (second == 'b' || second == 'B')) return integer(at_ + 2, 2);
    std::size_t end = at_;
    while (is_digit(at(end))) ++end;
    const bool has_exponent =
        (at(end) == 'e' || at(end) == 'E') && (is_digit(at(end + 1)) || at(end + 1) == '-' || at(end + 1) == '+');
    if (at(end) == '.' || has_exponent) return decimal(end);
    integer(at_, text_[at_] == '0' ? 8 : 10);
  }

  void bits(word_kind kind, std::size_t digits) {
    std::size_t end = at_ + 2;
    for (; hex_digit(at(end)) < 16; ++end) next_.value = next_.value << 4 | static_cast<std::uint64_t>(hex_digit(at(end)));
    const bool right = end - at_ - 2 == digits;
    set(kind, end);
    if (!right) fail(bad_number, "'" + std::string(next_.text) + "' needs " + std::to_string(digits) + " hexadecimal digits");
  }

  void integer(std::size_t begin, int base) {
    std::size_t end = begin;
    bool fits = true;
    for (; hex_digit(at(end)) < base; ++end) {
      const auto digit = static_cast<std::uint64_t>(hex_digit(at(end)));
      const auto wide = static_cast<std::uint64_t>(base);
      fits = fits && next_.value <= (~std::uint64_t{0} - digit) / wide;
      next_.value = next_.value * wide + digit;
    }
    const bool empty = end == begin;
    if (at(end) == 'U') ++end;
    const bool ends = !is_name_char(at(end));
    set(word_kind::integer, end);
    if (empty || !ends) fail(bad_number, "'" + std::string(next_.text) + at(end) + "' is no number");
    if (!fits) fail(bad_number, "'" + std::string(next_.text) + "' does not fit in 64 bits");
  }

  void decimal(std::size_t end) {
    if (at(end) == '.') ++end;
    while (is_digit(at(end))) ++end;
    if (at(end) == 'e' || at(end) == 'E') {
      std::size_t exponent = end + 1;
      if (at(exponent) == '+' || at(exponent) == '-') ++exponent;
      if (is_digit(at(exponent))) end = exponent;
      while (is_digit(at(end))) ++end;
    }
    const std::string_view text = text_.substr(at_, end - at_);
    set(word_kind::f64, end);
    next_.value = std::bit_cast<std::uint64_t>(to_double(text));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t aside_line_ = 0;  // of the last `//tg:`
  word next_;
};

}  // namespace tg::ptx::detail

#include <tg/ptx/parse/parse_lexer.hpp>

#include <doctest/doctest.h>

#include <bit>
#include <string>
#include <string_view>

#include "../../base/comma_locale.hpp"

using namespace tg::ptx;
using detail::lexer;
using detail::word_kind;

namespace {

detail::word first(std::string_view text) { return lexer(text).peek(); }

}  // namespace

TEST_CASE("words") {
  lexer in("@!%p1 ld.global.L2::128B.v2 {%r1,_}, [%rd1+-4]; // comment\n/* two\nlines */ $L_0: \"a\\\"b\"");
  const struct {
    word_kind kind;
    std::string_view text;
  } expected[] = {
      {word_kind::punctuation, "@"}, {word_kind::punctuation, "!"}, {word_kind::name, "%p1"},
      {word_kind::name, "ld"},       {word_kind::dotted, "global"}, {word_kind::dotted, "L2::128B"},
      {word_kind::dotted, "v2"},     {word_kind::punctuation, "{"}, {word_kind::name, "%r1"},
      {word_kind::punctuation, ","}, {word_kind::name, "_"},        {word_kind::punctuation, "}"},
      {word_kind::punctuation, ","}, {word_kind::punctuation, "["}, {word_kind::name, "%rd1"},
      {word_kind::punctuation, "+"}, {word_kind::punctuation, "-"}, {word_kind::integer, "4"},
      {word_kind::punctuation, "]"}, {word_kind::punctuation, ";"}, {word_kind::name, "$L_0"},
      {word_kind::punctuation, ":"}, {word_kind::string, "a\\\"b"}, {word_kind::end, ""},
  };
  for (const auto& e : expected) {
    const detail::word w = in.take();
    CHECK(w.kind == e.kind);
    CHECK(w.text == e.text);
    if (e.text == "$L_0") CHECK(w.line == 3);
  }
}

TEST_CASE("an aside is a comment to others") {
  lexer in("add; //tg:assume %p1; // tg:no\n//tg\n//tg:");
  for (const char* text : {"add", ";", "assume", "%p1", ";"}) {
    const bool is_aside = in.peek().offset > 5;
    CHECK(in.peek().is_aside == is_aside);
    CHECK(in.take().text == text);
  }
  CHECK(in.peek().kind == word_kind::end);
}

TEST_CASE("an aside ends with its line") {
  for (const char* text : {"//tg:a\nb", "//tg:a // b\nb", "//tg:a /*\n*/ b", "//tg:a // //tg:a\nb"}) {
    lexer in(text);
    CHECK(in.take().is_aside);
    CHECK_FALSE(in.take().is_aside);
  }
}

TEST_CASE("numbers") {
  CHECK(first("42").value == 42);
  CHECK(first("0x1F").value == 31);
  CHECK(first("017").value == 15);
  CHECK(first("0b101U").value == 5);
  CHECK(first("18446744073709551615").value == ~std::uint64_t{0});
  CHECK(first("0").value == 0);
  CHECK(first("0f3F800000").kind == word_kind::f32);
  CHECK(first("0f3F800000").value == 0x3f800000);
  CHECK(first("0d3FF0000000000000").kind == word_kind::f64);
  CHECK(first("0D3ff0000000000000").value == 0x3ff0000000000000);
  for (const auto& [text, value] : {std::pair{"1.5", 1.5}, {"2.", 2.0}, {"1e3", 1000.0}, {"25e-1", 2.5}, {".5", 0.5}}) {
    CHECK(first(text).kind == word_kind::f64);
    CHECK(first(text).value == std::bit_cast<std::uint64_t>(value));
  }
}

TEST_CASE("what is no word is refused") {
  for (const char* text : {"0x", "089", "12abc", "18446744073709551616", "0f12", "0d12", "\"open", "#", "\x80", "\"a\nb\""})
    CHECK_THROWS_AS(lexer{text}, tg::error);
}

TEST_CASE("zeros behind the text are its end") {
  CHECK(first(std::string_view("\0\0", 2)).kind == word_kind::end);
  CHECK_THROWS_AS(first(std::string_view("\0x", 2)), tg::error);
}

TEST_CASE("a number has a point where the locale has a comma") {
  const comma_locale here;
  CHECK(first("2.5").value == std::bit_cast<std::uint64_t>(2.5));
}

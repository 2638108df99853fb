#include <tg/ptx/print/print_text.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

using tg::ptx::detail::text_out;

TEST_CASE("text grows by words, characters and numbers, and counts its lines") {
  text_out out;
  out.put_line("a", ' ', 5, ' ', std::int64_t{-7}, ' ', std::uint64_t{18446744073709551615u});
  out.put_hex(0x3f8, 8);
  CHECK(out.line() == 2);
  CHECK(out.take() == "a 5 -7 18446744073709551615\n000003F8");
}

TEST_CASE("a text keeps what it had when it grows, and starts again when it is taken") {
  text_out out;
  std::string expected;
  for (int k = 0; k < 1000; ++k) {
    out.put("abc");
    expected += "abc";
    char* at = out.room(out.end(), 2);
    *at++ = 'd';
    *at++ = 'e';
    out.end(--at);
    expected += 'd';
  }
  CHECK(out.take() == expected);
  out.put('x');
  CHECK(out.take() == "x");
}

TEST_CASE("names") {
  CHECK(tg::ptx::detail::is_name("x"));
  CHECK(tg::ptx::detail::is_name("_Z1k$_0"));
  CHECK(tg::ptx::detail::is_name("$str"));
  CHECK_FALSE(tg::ptx::detail::is_name(""));
  CHECK_FALSE(tg::ptx::detail::is_name("_"));
  CHECK_FALSE(tg::ptx::detail::is_name("1x"));
  CHECK_FALSE(tg::ptx::detail::is_name("%r1"));
  CHECK_FALSE(tg::ptx::detail::is_name("a b"));
  text_out out;
  CHECK_THROWS_WITH_AS(out.put_name("a-b"), doctest::Contains("TG319: 'a-b'"), tg::error);
}

#include <tg/runtime/cache_entry.hpp>

#include <doctest/doctest.h>

#include <string>

using tg::runtime::cache_header;
using tg::runtime::code_in_cache_file;
using tg::runtime::to_cache_file;

TEST_CASE("a cache file gives back what was put in") {
  for (const std::string& code : {std::string(), std::string("code"), std::string(100000, '\x7f'), std::string("a\0b", 3)})
    CHECK(code_in_cache_file("name", to_cache_file("name", code)) == code);
}

TEST_CASE("a cache file of another name is none of ours") {
  CHECK_FALSE(code_in_cache_file("other", to_cache_file("name", "code")));
}

TEST_CASE("every changed, missing or additional byte of a cache file is noticed") {
  const std::string good = to_cache_file("name", "machine code");
  for (std::size_t i = 0; i < good.size(); ++i) {
    CAPTURE(i);
    for (const int bit : {0, 3, 7}) {
      std::string bad = good;
      bad[i] = static_cast<char>(bad[i] ^ 1 << bit);
      CHECK_FALSE(code_in_cache_file("name", bad));
    }
    CHECK_FALSE(code_in_cache_file("name", good.substr(0, i)));
  }
  CHECK_FALSE(code_in_cache_file("name", good + '\0'));
  CHECK_FALSE(code_in_cache_file("name", good + good));
}

TEST_CASE("a size that overflows is noticed") {
  std::string bad = to_cache_file("name", "code");
  cache_header header;
  std::memcpy(&header, bad.data(), sizeof header);
  for (const std::uint64_t bytes : {std::uint64_t{0}, std::uint64_t{5}, UINT64_MAX, UINT64_MAX - sizeof header + 5}) {
    header.bytes = bytes;
    std::memcpy(bad.data(), &header, sizeof header);
    CHECK_FALSE(code_in_cache_file("name", bad));
  }
}

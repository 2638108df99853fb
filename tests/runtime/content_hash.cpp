#include <tg/runtime/content_hash.hpp>

#include <doctest/doctest.h>

#include <set>

using tg::runtime::hash_of;

TEST_CASE("the hash is the published one") {
  // Source: xxHash 0.8.1, XXH3_128bits of the empty input.
  CHECK(hash_of("").text() == "99aa06d3014798d86001c324468d497f");
}

TEST_CASE("equal bytes have equal hashes, and each changed bit another") {
  const std::string text(300, 'a');
  CHECK(hash_of(text) == hash_of(std::string(300, 'a')));
  std::set<std::string> seen{hash_of(text).text()};
  for (std::size_t i = 0; i < text.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      std::string other = text;
      other[i] = static_cast<char>(other[i] ^ 1 << bit);
      seen.insert(hash_of(other).text());
    }
  CHECK(seen.size() == 1 + 300 * 8);
  CHECK(hash_of(std::string(1, '\0')).text() != hash_of("").text());
}

TEST_CASE("a hash's text has 32 digits") {
  CHECK(tg::runtime::content_hash{1, 0xabc}.text() == "00000000000000010000000000000abc");
}

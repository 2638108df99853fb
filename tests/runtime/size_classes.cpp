#include <tg/runtime/size_classes.hpp>

#include <doctest/doctest.h>

#include <map>
#include <random>

using tg::runtime::size_classes;

TEST_CASE("sizes of one list differ by less than a 32nd, larger sizes are in later lists") {
  const auto number = [](std::size_t bytes) {
    const auto p = size_classes::place_of(bytes);
    return 32 * p.level + p.step;
  };
  for (std::size_t quanta = 1; quanta < 32; ++quanta) CHECK(number(256 * quanta) == quanta);
  CHECK(number(256 * 32) == 32);
  CHECK(number(256 * 63) == 63);
  CHECK(number(256 * 64) == 64);
  CHECK(number(256 * 65) == 64);
  CHECK(number(256 * 66) == 65);
  CHECK(size_classes::place_of((std::size_t{1} << 51) - 256).level < 40);
  std::mt19937_64 random(3);
  for (int i = 0; i < 10000; ++i) {
    const std::size_t a = 256 * (1 + random() % (std::size_t{1} << (random() % 40))), b = 256 * (1 + random() % 100000);
    if (a < b) REQUIRE(number(a) <= number(b));
    if (a < b && number(a) == number(b)) REQUIRE(b - a < a / 32 + 1);
  }
}

TEST_CASE("the next list that has anything is found, as a map finds it") {
  size_classes lists;
  CHECK(lists.empty());
  CHECK(lists.last_head() == size_classes::none);
  CHECK(lists.next_head({0, 1}) == size_classes::none);
  std::map<unsigned, size_classes::block> expected;
  std::mt19937 random(4);
  for (int i = 0; i < 20000; ++i) {
    const size_classes::place p{static_cast<unsigned>(random() % 40), static_cast<unsigned>(random() % 32)};
    const unsigned key = 32 * p.level + p.step;
    if (random() % 2 == 0) {
      lists.set_head(p, static_cast<unsigned>(i));
      expected[key] = static_cast<unsigned>(i);
    } else {
      lists.set_head(p, size_classes::none);
      expected.erase(key);
    }
    if (i % 500 == 0)
      for (auto& [k, head] : std::map(expected)) lists.set_head({k / 32, k % 32}, size_classes::none), expected.erase(k);
    const unsigned at = random() % (40 * 32);
    const auto next = expected.upper_bound(at);
    REQUIRE(lists.next_head({at / 32, at % 32}) == (next == expected.end() ? size_classes::none : next->second));
    REQUIRE(lists.last_head() == (expected.empty() ? size_classes::none : std::prev(expected.end())->second));
    REQUIRE(lists.empty() == expected.empty());
  }
}

#include <tg/base/dynamic_array.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace {

/// Counts the objects that are alive, and is no plain element.
struct counted {
  static inline int alive = 0;
  std::string text;
  explicit counted(int n) : text("number " + std::to_string(n)) { ++alive; }
  counted(const counted& other) : text(other.text) { ++alive; }
  counted(counted&& other) noexcept : text(std::move(other.text)) { ++alive; }
  counted& operator=(const counted&) = default;
  counted& operator=(counted&&) = default;
  ~counted() { --alive; }
  friend bool operator==(const counted&, const counted&) = default;
};

template <class T> T made(int n) { return T(n); }

template <class A, class B> bool are_equal(const A& a, const B& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

/// The same random steps on an array and on a std::vector.
template <class T> void compare_with_vector(unsigned seed) {
  std::mt19937 random(seed);
  tg::dynamic_array<T> own;
  std::vector<T> other;
  for (int step = 0; step < 400; ++step) {
    const int n = static_cast<int>(random() % 100);
    const std::size_t at = random() % (other.size() + 1), count = random() % 5;
    const T element = made<T>(n);
    switch (random() % 12) {
      case 0:
      case 1: own.push_back(element), other.push_back(element); break;
      case 2: own.emplace_back(n), other.emplace_back(n); break;
      case 3:
        if (!other.empty()) own.push_back(own.front()), other.push_back(other.front());
        break;
      case 4:
        own.insert(own.begin() + at, element), other.insert(other.begin() + static_cast<std::ptrdiff_t>(at), element);
        break;
      case 5: {
        const T* const place = own.insert(own.begin() + at, count, element);
        CHECK(place == own.begin() + at);
        other.insert(other.begin() + static_cast<std::ptrdiff_t>(at), count, element);
        break;
      }
      case 6: {
        const std::vector<T> more(count, element);
        own.insert(own.begin() + at, more.begin(), more.end());
        other.insert(other.begin() + static_cast<std::ptrdiff_t>(at), more.begin(), more.end());
        break;
      }
      case 7: {
        const std::size_t last = std::min(other.size(), at + count);
        const T* const place = own.erase(own.begin() + at, own.begin() + last);
        CHECK(place == own.begin() + at);
        other.erase(other.begin() + static_cast<std::ptrdiff_t>(at), other.begin() + static_cast<std::ptrdiff_t>(last));
        break;
      }
      case 8:
        if (!other.empty()) own.pop_back(), other.pop_back();
        break;
      case 9: own.resize(at + count, element), other.resize(at + count, element); break;
      case 10: CHECK(tg::erase(own, element) == std::erase(other, element)); break;
      case 11: {
        tg::dynamic_array<T> copy = own, taken = std::move(own);
        CHECK(copy == taken);
        CHECK(own.empty());
        own = copy;
        if (n == 0)
          own.assign(count, taken.empty() ? element : taken.front()),
              other.assign(count, other.empty() ? element : T(other.front()));
        break;
      }
    }
    REQUIRE(are_equal(own, other));
  }
}

}  // namespace

TEST_CASE("an array does what std::vector does") {
  for (const unsigned seed : {1u, 2u, 3u, 4u}) {
    compare_with_vector<int>(seed);
    compare_with_vector<counted>(seed);
    CHECK(counted::alive == 0);
  }
}

TEST_CASE("elements that can only be moved, and arrays of arrays") {
  tg::dynamic_array<std::unique_ptr<int>> owners;
  for (int n = 0; n < 20; ++n) owners.push_back(std::make_unique<int>(n));
  owners.erase(owners.begin() + 3);
  CHECK(tg::erase_if(owners, [](const auto& p) { return *p % 2 == 0; }) == 10);
  CHECK(owners.size() == 9);
  CHECK(*owners.back() == 19);
  tg::dynamic_array<tg::dynamic_array<int>> rows(3, tg::dynamic_array<int>{1, 2});
  rows[1].push_back(3);
  rows.push_back(rows[1]);
  CHECK(rows.back() == tg::dynamic_array<int>{1, 2, 3});
  CHECK(rows[0] < rows[1]);
  CHECK_FALSE(rows[1] < rows[3]);
}

TEST_CASE("resizing with an element of the array itself") {
  tg::dynamic_array<std::string> words{"a word that is too long to be stored inside of the object"};
  words.resize(50, words[0]);
  CHECK(words.back() == words.front());
  words.assign(3, words.back());
  CHECK(words.size() == 3);
  CHECK(words[2].starts_with("a word"));
}

TEST_CASE("an index behind the end is refused by at") {
  const tg::dynamic_array<int> three{1, 2, 3};
  CHECK(three.at(2) == 3);
  CHECK_THROWS_AS((void)three.at(3), std::out_of_range);
  CHECK(std::span<const int>(three).size() == 3);
  CHECK(*three.rbegin() == 3);
}

TEST_CASE("an array that is resized by one element after the other is moved a few times only") {
  tg::dynamic_array<int> zeros, ones;
  int moves = 0;
  for (std::size_t n = 1; n <= 10000; ++n) {
    const int *const first = zeros.data(), *const second = ones.data();
    zeros.resize(n);
    ones.resize(n, 1);
    moves += (zeros.data() != first) + (ones.data() != second);
  }
  CHECK(moves < 40);
  CHECK(zeros == tg::dynamic_array<int>(10000));
  CHECK(ones == tg::dynamic_array<int>(10000, 1));
}

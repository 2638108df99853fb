#include <tg/base/fixed_array.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <type_traits>

namespace {

constexpr tg::fixed_array three{3, 1, 2};
static_assert(std::is_same_v<decltype(three), const tg::fixed_array<int, 3>>);
static_assert(three.size() == 3 && three.front() == 3 && three.back() == 2 && three[1] == 1 && three.data() == three.begin());
static_assert(three == tg::fixed_array{3, 1, 2} && three != tg::fixed_array{3, 1, 3} && three < tg::fixed_array{3, 2, 0});
static_assert(tg::fixed_array<int, 4>{}.back() == 0);
static_assert(tg::fixed_array<int, 0>::size() == 0);
static_assert(std::is_trivially_copyable_v<tg::fixed_array<float, 8>> && sizeof(tg::fixed_array<float, 8>) == 32);
template <tg::fixed_array<int, 2> Extents> constexpr int product = Extents[0] * Extents[1];
static_assert(product<tg::fixed_array{3, 4}> == 12);

}  // namespace

TEST_CASE("an array of fixed length is filled, sorted, walked and a key") {
  tg::fixed_array<int, 5> x;
  x.fill(7);
  CHECK(std::ranges::count(x, 7) == 5);
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = static_cast<int>(k * 3 % 5);
  std::ranges::sort(x);
  CHECK(x == tg::fixed_array{0, 1, 2, 3, 4});
  tg::fixed_array<int, 0> none{};
  CHECK(none.begin() == none.end());
  std::map<tg::fixed_array<int, 5>, int> by_key{{x, 1}};
  CHECK(by_key.contains(tg::fixed_array{0, 1, 2, 3, 4}));
  CHECK_FALSE(by_key.contains(tg::fixed_array{0, 1, 2, 3, 5}));
}

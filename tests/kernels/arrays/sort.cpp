#include <kernels/arrays/sort.hpp>

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>

#include "../inputs.hpp"
#include "refusals.hpp"

namespace {

using refusals::code_of_error;

/// What the bits of a key are ordered as.
template <class Key> std::uint64_t order_of(Key key) {
  using word = std::conditional_t<sizeof(Key) == 4, std::uint32_t, std::uint64_t>;
  constexpr word sign = word{1} << (8 * sizeof(Key) - 1);
  const auto bits = std::bit_cast<word>(key);
  if constexpr (std::is_floating_point_v<Key>) return static_cast<word>((bits & sign) != 0 ? ~bits : bits | sign);
  else return std::is_signed_v<Key> ? bits ^ sign : bits;
}
template <class Key> std::vector<std::uint64_t> orders_of(const std::vector<Key>& keys) {
  std::vector<std::uint64_t> out;
  for (const Key& key : keys) out.push_back(order_of(key));
  return out;
}

/// The numbers of the keys in their order, of equals the first first.
template <class Key> std::vector<int> places_of(const std::vector<Key>& x, bool is_descending) {
  std::vector<int> out(x.size());
  std::iota(out.begin(), out.end(), 0);
  std::stable_sort(out.begin(), out.end(), [&](int a, int b) {
    const auto left = order_of(x[static_cast<std::size_t>(a)]), right = order_of(x[static_cast<std::size_t>(b)]);
    return is_descending ? right < left : left < right;
  });
  return out;
}
template <class T> std::vector<T> taken(const std::vector<T>& x, const std::vector<int>& places) {
  std::vector<T> out;
  for (const int i : places) out.push_back(x[static_cast<std::size_t>(i)]);
  return out;
}

template <class Key> void check(tg::device& gpu, const std::vector<Key>& x) {
  const tg::array<Key, 1> on_device(gpu, x);
  for (const bool is_descending : {false, true}) {
    const tg::sort_options options{.descending = is_descending};
    const auto places = places_of(x, is_descending);
    const auto wanted = orders_of(taken(x, places));
    CHECK(orders_of(tg::sort(on_device, options).to_host()) == wanted);
    CHECK(tg::argsort(on_device, options).to_host() == places);
    std::vector<double> values(x.size());
    std::iota(values.begin(), values.end(), 0.5);
    const auto [keys, moved] = tg::sort_by_key(on_device, tg::array<double, 1>(gpu, values), options);
    CHECK(orders_of(keys.to_host()) == wanted);
    CHECK(moved.to_host() == taken(values, places));
  }
  CHECK(orders_of(on_device.to_host()) == orders_of(x));
}

/// Keys of every bit pattern, and of few different values.
template <class Key> void check_type() {
  tg::device gpu;
  inputs::generator random;
  using word = std::conditional_t<sizeof(Key) == 4, std::uint32_t, std::uint64_t>;
  for (const std::size_t n : {0u, 1u, 2u, 257u, 2048u, 4099u}) {
    INFO("seed ", random.seed, ", n ", n);
    std::vector<Key> any(n), few(n);
    for (Key& x : any) x = std::bit_cast<Key>(static_cast<word>(random.engine() | std::uint64_t{random.engine()} << 32));
    for (Key& x : few) x = static_cast<Key>(static_cast<int>(random.engine() % 3));
    check(gpu, any);
    check(gpu, few);
  }
}

}  // namespace

TEST_CASE("lines of integers are sorted up and down, and stay in order where they are equal") {
  check_type<int>();
  check_type<unsigned>();
  check_type<std::int64_t>();
  check_type<std::uint64_t>();
}
TEST_CASE("lines of floats are sorted by their bits") {
  check_type<float>();
  check_type<double>();
}

TEST_CASE("expressions, slices and columns are sorted") {
  tg::device gpu;
  inputs::generator random;
  INFO("seed ", random.seed);
  const std::int64_t rows = 37, columns = 5;
  const auto host = random.floats(static_cast<std::size_t>(rows * columns));
  const tg::array<float, 2> x(gpu, {rows, columns}, host);
  std::vector<float> column, twice;
  for (std::size_t r = 0; r < 37; ++r) column.push_back(host[r * 5 + 3]), twice.push_back(host[r * 5 + 3] * -2.0f);
  std::sort(column.begin(), column.end());
  std::sort(twice.begin(), twice.end());
  CHECK(tg::sort(x(tg::full_extent, 3)).to_host() == column);
  CHECK(tg::sort(x(tg::full_extent, 3) * -2.0f).to_host() == twice);
}

TEST_CASE("rows and elements of any type follow their keys") {
  tg::device gpu;
  inputs::generator random;
  INFO("seed ", random.seed);
  const std::int64_t n = 1031, columns = 3;
  std::vector<int> keys(static_cast<std::size_t>(n));
  for (int& key : keys) key = static_cast<int>(random.engine() % 50) - 25;
  const auto host = random.floats(static_cast<std::size_t>(n * columns));
  std::vector<std::uint8_t> bytes = random.bytes(static_cast<std::size_t>(n));
  const tg::array<int, 1> on_device(gpu, keys);
  const tg::array<float, 2> x(gpu, {n, columns}, host);
  const tg::array<unsigned char, 1> small(gpu, bytes);
  const auto places = places_of(keys, false);
  std::vector<float> wanted;
  for (const int i : places)
    for (int c = 0; c < 3; ++c) wanted.push_back(host[static_cast<std::size_t>(i * 3 + c)]);
  CHECK(tg::sort_by_key(on_device, x).values.to_host() == wanted);
  CHECK(tg::sort_by_key(on_device, small).values.to_host() == taken(bytes, places));
  CHECK(tg::sort_by_key(on_device, on_device).values.to_host() == taken(keys, places));
}

TEST_CASE("keys without values of their own, arrays without memory and lines too long are refused") {
  tg::device gpu;
  const tg::array<int, 1> five(gpu, std::vector<int>(5)), seven(gpu, std::vector<int>(7));
  CHECK(code_of_error([&] { tg::sort_by_key(five, seven); }) == 700);
  CHECK(code_of_error([&] { tg::sort(tg::array<int, 1>()); }) == 704);
  CHECK(code_of_error([&] { tg::argsort(tg::array<int, 1>()); }) == 704);
  CHECK(code_of_error([&] { tg::detail::keys_in(std::int64_t{1} << 30, {}); }) == 705);
  CHECK(code_of_error([&] { tg::detail::keys_in((std::int64_t{1} << 30) - 1, {}); }) == 0);
}

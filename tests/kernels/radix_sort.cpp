#include <kernels/radix_sort.hpp>

#include <algorithm>
#include <bit>
#include <numeric>
#include <string>

#include "inputs.hpp"

using namespace tg::kernels;

namespace {

constexpr unsigned sizes[] = {0, 1, 2, 255, 256, 257, 2047, 2048, 2049, 4095, 4096, 4097, 8192, 20011};

/// What the bits of a key are ordered as.
template <class Key> std::uint64_t order_of(Key key) {
  if constexpr (sizeof(Key) == 4) {
    const auto bits = std::bit_cast<std::uint32_t>(key);
    if constexpr (std::is_floating_point_v<Key>) return bits >> 31 != 0 ? ~bits : bits | 0x80000000u;
    else return std::is_signed_v<Key> ? bits ^ 0x80000000u : bits;
  } else {
    const auto bits = std::bit_cast<std::uint64_t>(key);
    constexpr std::uint64_t sign = std::uint64_t{1} << 63;
    if constexpr (std::is_floating_point_v<Key>) return bits >> 63 != 0 ? ~bits : bits | sign;
    else return std::is_signed_v<Key> ? bits ^ sign : bits;
  }
}
/// The bits of it from `begin` to `end`.
template <class Key> std::uint64_t sorted_by(Key key, unsigned begin, unsigned end) {
  const std::uint64_t own = order_of(key) >> begin;
  return end - begin == 64 ? own : own & ((std::uint64_t{1} << (end - begin)) - 1);
}

/// Random keys of every bit pattern, all alike, in order, in reverse, and of few different values.
template <class Key> std::vector<std::vector<Key>> lines(inputs::generator& random, unsigned n) {
  using word = std::conditional_t<sizeof(Key) == 4, std::uint32_t, std::uint64_t>;
  std::vector<Key> any(n), few(n);
  for (Key& x : any) x = std::bit_cast<Key>(static_cast<word>(random.engine() | std::uint64_t{random.engine()} << 32));
  for (Key& x : few) x = static_cast<Key>(random.engine() % 3);
  const auto is_before = [](Key a, Key b) { return order_of(a) < order_of(b); };
  std::vector<Key> up = any;
  std::sort(up.begin(), up.end(), is_before);
  return {any, few, std::vector<Key>(n, any.empty() ? Key{} : any[0]), up, {up.rbegin(), up.rend()}};
}

template <class T> bool are_alike(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

template <class T> auto upload(tg::device& gpu, const std::vector<T>& x) {
  return gpu.upload(x.empty() ? std::vector<T>(1) : x);
}

/// Sorts keys with their numbers as values, and keys alone, by the bits from `begin` to `end`.
template <class Key> void check(tg::device& gpu, const std::vector<Key>& x, unsigned begin, unsigned end) {
  const auto n = static_cast<unsigned>(x.size());
  std::vector<unsigned> places(n);
  std::iota(places.begin(), places.end(), 0u);
  std::vector<unsigned> wanted_places = places;
  std::stable_sort(wanted_places.begin(), wanted_places.end(),
                   [&](unsigned a, unsigned b) { return sorted_by(x[a], begin, end) < sorted_by(x[b], begin, end); });
  std::vector<Key> wanted(n);
  for (unsigned i = 0; i < n; ++i) wanted[i] = x[wanted_places[i]];

  auto scratch = gpu.zeros<unsigned>(radix_scratch(n, sizeof(Key), begin, end));
  scratch.fill(0xabababab);
  auto keys = upload(gpu, x), other = upload(gpu, std::vector<Key>(n));
  const auto& sorted = radix_sort<Key>(gpu, keys, other, scratch, n, begin, end) ? other : keys;
  if (n > 0) CHECK(are_alike(sorted.to_host(), wanted));

  keys = upload(gpu, x);
  auto values = upload(gpu, places), other_values = upload(gpu, std::vector<unsigned>(n));
  const bool is_other = radix_sort_pairs<Key, unsigned>(gpu, keys, other, values, other_values, scratch, n, begin, end);
  if (n > 0) CHECK(are_alike((is_other ? other : keys).to_host(), wanted));
  if (n > 0) CHECK((is_other ? other_values : values).to_host() == wanted_places);
}

template <class Key> void check_type() {
  tg::device gpu;
  inputs::generator random;
  for (const unsigned n : sizes)
    for (const auto& x : lines<Key>(random, n)) {
      INFO("seed ", random.seed, ", n ", n);
      check(gpu, x, 0, 8 * sizeof(Key));
    }
}

}  // namespace

TEST_CASE("unsigned keys of 32 bits, and values with them, are sorted and stay in order where they are equal") {
  check_type<unsigned>();
}
TEST_CASE("signed keys of 32 bits are sorted") { check_type<int>(); }
TEST_CASE("floats are sorted, infinities and NaN by their signs at the ends") { check_type<float>(); }

TEST_CASE("keys of 64 bits are sorted") {
  tg::device gpu;
  inputs::generator random;
  for (const unsigned n : {1u, 2048u, 2049u, 5003u}) {
    INFO("seed ", random.seed, ", n ", n);
    check(gpu, lines<std::uint64_t>(random, n)[0], 0, 64);
    check(gpu, lines<std::int64_t>(random, n)[0], 0, 64);
    check(gpu, lines<double>(random, n)[0], 0, 64);
  }
}

TEST_CASE("any bits of the keys are sorted by") {
  tg::device gpu;
  inputs::generator random;
  for (int k = 0; k < 12; ++k) {
    const unsigned begin = random.engine() % 32, end = begin + 1 + random.engine() % (32 - begin);
    INFO("seed ", random.seed, ", bits ", begin, " to ", end);
    check(gpu, lines<unsigned>(random, 3001)[0], begin, end);
    check(gpu, lines<unsigned>(random, 3001)[1], begin, end);
    check(gpu, lines<std::uint64_t>(random, 2500)[0], begin, end + 32);
  }
}

TEST_CASE("values of 8 bytes go with keys of 4") {
  tg::device gpu;
  inputs::generator random;
  const unsigned n = 6001;
  const auto x = lines<unsigned>(random, n)[0];
  std::vector<double> wanted(n);
  for (unsigned i = 0; i < n; ++i) wanted[i] = x[i];
  auto keys = gpu.upload(x), other = gpu.upload(x);
  auto values = gpu.upload(wanted), other_values = gpu.upload(wanted);
  auto scratch = gpu.zeros<unsigned>(radix_scratch(n, 8, 0, 32));
  CHECK_FALSE(radix_sort_pairs<unsigned, double>(gpu, keys, other, values, other_values, scratch, n));
  std::sort(wanted.begin(), wanted.end());
  CHECK(values.to_host() == wanted);
}

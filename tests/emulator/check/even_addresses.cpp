#include <tg/emulator/check/even_addresses.hpp>

#include <doctest/doctest.h>

#include <random>
#include <set>
#include <vector>

using tg::emulator::launch_shape;
using tg::emulator::check::even_addresses;

namespace {

constexpr launch_shape::extent shapes[] = {{8, 1, 1}, {4, 4, 1}, {3, 2, 4}, {1, 8, 1},
                                           {1, 1, 6}, {1, 3, 2}, {5, 1, 3}, {1, 1, 1}};

/// The bytes of every thread, found one by one.
std::vector<std::uint64_t> addresses(std::int64_t base, const std::int64_t (&steps)[3], const launch_shape::extent& block) {
  std::vector<std::uint64_t> out;
  for (std::uint32_t z = 0; z < block.z; ++z)
    for (std::uint32_t y = 0; y < block.y; ++y)
      for (std::uint32_t x = 0; x < block.x; ++x)
        out.push_back(static_cast<std::uint64_t>(base + x * steps[0] + y * steps[1] + z * steps[2]));
  return out;
}

bool are_apart(const std::vector<std::uint64_t>& at, std::uint32_t bytes) {
  std::set<std::uint64_t> seen;
  for (const std::uint64_t a : at)
    for (std::uint32_t k = 0; k < bytes; ++k)
      if (!seen.insert(a + k).second) return false;
  return true;
}

bool meet(const std::vector<std::uint64_t>& a, std::uint32_t a_bytes, const std::vector<std::uint64_t>& b,
          std::uint32_t b_bytes) {
  for (const std::uint64_t x : a)
    for (const std::uint64_t y : b)
      if (x < y + b_bytes && y < x + a_bytes) return true;
  return false;
}

}  // namespace

TEST_CASE("addresses, rows and what is said of their bytes agree with a walk over the threads") {
  std::mt19937 bits(1);
  const auto below = [&](int n) { return static_cast<int>(bits() % static_cast<unsigned>(n)); };
  int apart = 0, alternating = 0;
  for (int round = 0; round < 3000; ++round) {
    const launch_shape::extent& block = shapes[below(8)];
    const std::uint32_t a_bytes = 1u << below(4), b_bytes = 1u << below(4);
    std::int64_t s[3] = {(below(5) - 1) * 4, below(6) * 8, below(6) * 16}, t[3] = {s[0], s[1], s[2]};
    if (below(3) == 0) t[below(3)] = below(6) * 4;
    const std::int64_t base = 4096 + below(64), other = 4096 + below(64);
    const even_addresses a(base, s[0], s[1], s[2], a_bytes, block), b(other, t[0], t[1], t[2], b_bytes, block);
    const auto each = addresses(base, s, block), others = addresses(other, t, block);
    std::vector<std::uint64_t> walked;
    const std::uint32_t first = static_cast<std::uint32_t>(below(static_cast<int>(block.count())));
    const auto count = static_cast<std::uint32_t>(block.count()) - first;
    a.each_row(first, count, [&](std::uint64_t address, std::uint32_t thread, std::uint32_t threads) {
      CHECK(thread == first + walked.size());
      for (std::uint32_t k = 0; k < threads; ++k) walked.push_back(address + static_cast<std::uint64_t>(k * a.step()));
    });
    CHECK(walked == std::vector(each.begin() + first, each.end()));
    std::vector<std::uint64_t> of;
    for (std::uint32_t k = 0; k < each.size(); ++k) of.push_back(a.of(k));
    CHECK(of == each);
    if (a.is_apart()) CHECK(are_apart(each, a_bytes));
    if (a.alternates_with(b)) CHECK_FALSE(meet(each, a_bytes, others, b_bytes));
    if (a == b) CHECK(each == others);
    apart += a.is_apart();
    alternating += a.alternates_with(b);
  }
  CHECK(apart > 300);
  CHECK(alternating > 20);
}

TEST_CASE("rows, planes and single threads are known to be apart") {
  CHECK(even_addresses(0, 4, 0, 0, 4, {256, 1, 1}).is_apart());
  CHECK(even_addresses(1024, -8, 0, 0, 8, {64, 1, 1}).is_apart());
  CHECK(even_addresses(0, 4, 1024, 0, 4, {16, 16, 1}).is_apart());
  CHECK(even_addresses(0, 4, 64, 4096, 4, {16, 16, 2}).is_apart());
  CHECK(even_addresses(0, 0, 0, 0, 4, {1, 1, 1}).is_apart());
  CHECK_FALSE(even_addresses(0, 0, 4, 0, 4, {16, 16, 1}).is_apart());
  CHECK_FALSE(even_addresses(0, 4, 0, 0, 8, {256, 1, 1}).is_apart());
}

TEST_CASE("lanes that have one address are found, at the first of them") {
  std::mt19937 bits(3);
  for (int round = 0; round < 300; ++round) {
    std::array<std::uint64_t, 32> address;
    for (std::uint64_t& a : address) a = 4096 + bits() % 24 * (round % 2 == 0 ? 4 : 16384);
    const auto active = static_cast<std::uint32_t>(round % 3 == 0 ? 0xffffffff : bits());
    std::array<std::uint32_t, 32> alike{};
    tg::emulator::check::find_alike(active, address.data(), alike);
    for (std::size_t i = 0; i < 32; ++i) {
      std::uint32_t same = 0;
      for (std::size_t k = 0; k < 32; ++k)
        if ((active >> k & 1) != 0 && address[k] == address[i]) same |= 1u << k;
      if ((active >> i & 1) != 0 && static_cast<std::size_t>(std::countr_zero(same)) == i) CHECK(alike[i] == same);
    }
  }
}

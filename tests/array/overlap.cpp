#include <tg/array/overlap.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include "../random_seed.hpp"

namespace {

struct slices {
  std::int64_t extents[3], strides[3];
  std::uint64_t address;
  int rank, bytes;

  tg::detail::array_place place() const { return {nullptr, address, extents, strides, rank}; }
  std::set<std::uint64_t> touched() const {
    std::set<std::uint64_t> out;
    for (std::int64_t i = 0; i < extents[0]; ++i)
      for (std::int64_t j = 0; j < (rank > 1 ? extents[1] : 1); ++j)
        for (std::int64_t k = 0; k < (rank > 2 ? extents[2] : 1); ++k) {
          const std::int64_t at = i * strides[0] + (rank > 1 ? j * strides[1] : 0) + (rank > 2 ? k * strides[2] : 0);
          for (int b = 0; b < bytes; ++b) out.insert(address + static_cast<std::uint64_t>(at * bytes + b));
        }
    return out;
  }
};

}  // namespace

TEST_CASE("arrays share an element exactly where their bytes meet") {
  std::mt19937 random(random_seed());
  int meetings = 0;
  for (int turn = 0; turn < 3000; ++turn) {
    slices both[2];
    for (auto& s : both) {
      s.rank = 1 + static_cast<int>(random() % 3);
      s.bytes = 1 << random() % 3;
      s.address = 4096 + random() % 64;
      for (int k = 0; k < 3; ++k) {
        s.extents[k] = random() % 5;
        s.strides[k] = static_cast<std::int64_t>(random() % 25) - 12;
      }
    }
    const auto a = both[0].touched(), b = both[1].touched();
    bool meet = false;
    for (const auto byte : a) meet = meet || b.contains(byte);
    CHECK(tg::detail::share_elements(both[0].place(), both[0].bytes, both[1].place(), both[1].bytes) == meet);
    meetings += meet;
  }
  CHECK(meetings > 300);
  CHECK(meetings < 2700);
}

TEST_CASE("long views of common strides are told apart exactly") {
  std::mt19937 random(random_seed());
  int meetings = 0;
  for (int turn = 0; turn < 200; ++turn) {
    const std::int64_t step = 2 + static_cast<std::int64_t>(random() % 6),
                       columns = 20000 + static_cast<std::int64_t>(random() % 20000);
    slices both[2];
    for (auto& s : both) {
      s = {{3, columns / step, 1}, {columns, step, 0}, 4096 + 4 * (random() % 64), 2, 4};
      if (random() % 2 == 0) s.strides[1] = -step, s.address += static_cast<std::uint64_t>(4 * (s.extents[1] - 1) * step);
    }
    std::vector<bool> is_touched(static_cast<std::size_t>(4 * columns + 64));
    bool meet = false;
    for (const auto& s : both)
      for (std::int64_t i = 0; i < s.extents[0]; ++i)
        for (std::int64_t j = 0; j < s.extents[1]; ++j) {
          const auto at =
              static_cast<std::size_t>(static_cast<std::int64_t>(s.address - 4096) / 4 + i * columns + j * s.strides[1]);
          if (&s == &both[0]) is_touched[at] = true;
          else meet = meet || is_touched[at];
        }
    CAPTURE(turn);
    CHECK(tg::detail::share_elements(both[0].place(), 4, both[1].place(), 4) == meet);
    meetings += meet;
  }
  CHECK(meetings > 20);
  CHECK(meetings < 180);
}

TEST_CASE("halves of a matrix do not meet, and neighbours in turn do not") {
  const slices left{{100, 4, 1}, {8, 1, 0}, 4096, 2, 4}, right{{100, 4, 1}, {8, 1, 0}, 4096 + 16, 2, 4};
  CHECK(!tg::detail::share_elements(left.place(), 4, right.place(), 4));
  const slices even{{100, 1, 1}, {2, 0, 0}, 4096, 1, 4}, odd{{100, 1, 1}, {2, 0, 0}, 4100, 1, 4},
      third{{100, 1, 1}, {3, 0, 0}, 4100, 1, 4};
  CHECK(!tg::detail::share_elements(even.place(), 4, odd.place(), 4));
  CHECK(tg::detail::share_elements(even.place(), 4, third.place(), 4));
}

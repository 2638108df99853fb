#include <tg/emulator/check/touched_bytes.hpp>

#include <doctest/doctest.h>

#include <array>
#include <random>

using namespace tg::emulator::check;

namespace {

constexpr access_kinds loads = bit_of(access_kind::read), stores = bit_of(access_kind::write),
                       strong_loads = bit_of(access_kind::strong_read), strong_stores = bit_of(access_kind::strong_write);

using ranges = tg::dynamic_array<touched_range>;

}  // namespace

TEST_CASE("which kinds of access conflict") {
  CHECK_FALSE(do_conflict(loads, loads));
  CHECK(do_conflict(loads, stores));
  CHECK(do_conflict(stores, stores));
  CHECK(do_conflict(stores, strong_loads));
  CHECK(do_conflict(strong_stores, loads));
  CHECK(do_conflict(strong_stores, stores));
  CHECK_FALSE(do_conflict(strong_stores, strong_stores));
  CHECK_FALSE(do_conflict(strong_stores, strong_loads));
  CHECK_FALSE(do_conflict(strong_loads, loads));
  CHECK(do_conflict(strong_loads | loads, strong_stores));
  CHECK(some_write(strong_stores | loads));
  CHECK_FALSE(some_write(strong_loads | loads));
}

TEST_CASE("ranges are sorted, divided where they overlap, joined where they are alike") {
  touched_bytes t;
  t.add(100, 8, loads);
  t.add(0, 4, stores);
  t.add(4, 4, stores);
  t.add(104, 8, stores);
  t.add(50, 0, stores);
  t.settle();
  CHECK(t.ranges() == ranges{{0, 8, stores}, {100, 104, loads}, {104, 108, access_kinds(loads | stores)}, {108, 112, stores}});
  touched_bytes each;
  each.add_each(100, std::array<access_kinds, 5>{0, stores, stores, loads, 0});
  each.settle();
  CHECK(each.ranges() == ranges{{101, 103, stores}, {103, 104, loads}});
  t.erase(2, 104);
  CHECK(t.ranges() == ranges{{0, 2, stores}, {106, 108, access_kinds(loads | stores)}, {108, 112, stores}});
}

TEST_CASE("the first conflict of two sets equals the one found byte by byte") {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::array<std::array<access_kinds, 64>, 2> bytes{};
    std::array<touched_bytes, 2> sets;
    for (std::size_t s = 0; s < 2; ++s) {
      for (unsigned k = random() % 5; k != 0; --k) {
        const unsigned begin = random() % 60, count = 1 + random() % (64 - begin);
        const auto kinds = static_cast<access_kinds>(1u << random() % 4);
        sets[s].add(begin, count, kinds);
        for (unsigned i = begin; i < begin + count; ++i) bytes[s][i] = static_cast<access_kinds>(bytes[s][i] | kinds);
      }
      sets[s].settle();
      std::array<access_kinds, 64> again{};
      for (const touched_range& r : sets[s].ranges())
        for (std::uint64_t i = r.begin; i < r.end; ++i) again[i] = r.kinds;
      CHECK(again == bytes[s]);
    }
    std::size_t first = 0;
    while (first < 64 && !do_conflict(bytes[0][first], bytes[1][first])) ++first;
    const auto found = sets[0].first_conflict(sets[1]);
    CHECK(found.has_value() == (first < 64));
    if (found) CHECK(found->begin == first);
    if (found) CHECK(found->kinds == bytes[0][first]);
  }
}

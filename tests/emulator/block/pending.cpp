#include <tg/emulator/block/pending.hpp>

#include <doctest/doctest.h>

using tg::emulator::pending_work;

TEST_CASE("a block begins with nothing under way") {
  pending_work w;
  w.clear(2, 0);
  w.mbarriers.emplace_back(8, 1);
  w.copies_of(63).emplace_back();
  REQUIRE(w.find(8) != nullptr);
  CHECK(*w.find(8) == 1);
  CHECK(w.find(16) == nullptr);
  w.clear(2, 0);
  CHECK(w.find(8) == nullptr);
  CHECK(w.copies_of(63).empty());
  CHECK(w.copy_groups.size() == 64);
  CHECK(w.cluster_owed.size() == 2);
}

TEST_CASE("only a seed makes work early, the same seed the same work") {
  pending_work none, one, same;
  none.clear(1, 0);
  one.clear(1, 5);
  same.clear(1, 5);
  int early = 0;
  for (int k = 0; k < 1000; ++k) {
    CHECK_FALSE(none.is_early());
    const bool is_early = one.is_early();
    CHECK_EQ(is_early, same.is_early());
    early += is_early;
  }
  CHECK(early > 150);
  CHECK(early < 350);
}

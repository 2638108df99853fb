#include <tg/emulator/image/mbarrier.hpp>

#include <doctest/doctest.h>

using tg::emulator::mbarrier;

TEST_CASE("an mbarrier survives its 64 bits") {
  for (const std::uint32_t count : {1u, 2u, 1024u, mbarrier::max_count})
    for (const std::int64_t bytes : {std::int64_t{0}, std::int64_t{16}, -std::int64_t{16}, mbarrier::max_transactions})
      for (const bool phase : {false, true}) {
        const mbarrier m{count, mbarrier::max_count - count, bytes, phase};
        CHECK(mbarrier::unpack(m.pack()) == m);
        CHECK(m.pack() != 0);
      }
}

TEST_CASE("a phase ends when no arrival and no byte is missing") {
  mbarrier m = mbarrier::of(2);
  m.pending = 0;
  m.transactions = 16;
  CHECK_FALSE(m.advance());
  m.transactions = 0;
  CHECK_FALSE(m.has_completed(false));
  CHECK(m.advance());
  CHECK(m.has_completed(false));
  CHECK_FALSE(m.has_completed(true));
  CHECK_EQ(m.pending, 2);
  CHECK_FALSE(m.advance());
}

#include <tg/emulator/memory/device_heap.hpp>

#include <doctest/doctest.h>

TEST_CASE("the heap gives blocks that do not meet, until it is full") {
  tg::emulator::device_heap h(0x10000, 1024);
  const auto a = h.allocate(100), b = h.allocate(1);
  CHECK_EQ(a % 16, 0);
  CHECK_EQ(b % 16, 0);
  CHECK_GE(b, a + 100 + 16);
  CHECK_EQ(h.find(a + 99).address, a);
  CHECK_EQ(h.find(a + 100).size_bytes, 0);
  CHECK_EQ(h.nearest(a + 101).address, a);
  CHECK_EQ(h.nearest(0x10000).address, a);
  CHECK_EQ(h.allocate(4096), 0);
  std::size_t count = 0;
  while (h.allocate(64) != 0) ++count;
  CHECK_GE(count, 8);
  CHECK_EQ(h.live().size(), count + 2);
  CHECK(h.holds(0x10000));
  CHECK_FALSE(h.holds(0x10400));
}

TEST_CASE("a freed block is remembered until its room is needed") {
  tg::emulator::device_heap h(0x10000, 512);
  const auto a = h.allocate(300), before = h.generation();
  CHECK(h.release(a));
  CHECK_NE(h.generation(), before);
  CHECK_FALSE(h.release(a));
  CHECK_FALSE(h.release(a + 16));
  CHECK_EQ(h.nearest(a + 8).address, a);
  CHECK_EQ(h.find(a).size_bytes, 0);
  CHECK_EQ(h.allocate(300), a);
  CHECK(h.live().size() == 1);
}

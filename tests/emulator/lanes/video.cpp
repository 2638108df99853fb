#include <tg/emulator/lanes/video.hpp>

#include <doctest/doctest.h>

TEST_CASE("elements are extended, clamped and merged") {
  video_recipe r;
  r.elements = 4;
  r.saturates = true;
  r.clamp_bits = 8;
  r.mask = 0x3;
  CHECK_EQ(video_op::of(0x01ff80ff, 0x0101c001, 0xaabbccdd, r.coded()), 0xaabbffff);
  r.saturates = false;
  r.accumulates = true;
  CHECK_EQ(video_op::of(0x00000102, 0x00000304, 100, r.coded()), 110);
}

TEST_CASE("the n-th set bit in both directions") {
  CHECK_EQ(fns_op::of(0xaaaaaaaa, 3, 1), 3);
  CHECK_EQ(fns_op::of(0xaaaaaaaa, 3, static_cast<uint32_t>(-1)), 3);
  CHECK_EQ(fns_op::of(0xaaaaaaaa, 3, 2), 5);
  CHECK_EQ(fns_op::of(0xaaaaaaaa, 3, static_cast<uint32_t>(-2)), 1);
  CHECK_EQ(fns_op::of(0xaaaaaaaa, 4, 0), ~0u);
}

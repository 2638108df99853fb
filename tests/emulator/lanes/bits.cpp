#include <tg/emulator/lanes/bits.hpp>

#include <doctest/doctest.h>

TEST_CASE("masks of all lengths") {
  CHECK_EQ(low_ones<uint32_t>(0), 0);
  CHECK_EQ(low_ones<uint32_t>(32), ~0u);
  CHECK_EQ(low_ones<uint64_t>(63), ~uint64_t{0} >> 1);
  CHECK_EQ(bmsk_op::of(4, 8), 0xff0);
  CHECK_EQ(bmsk_op::of(32, 8), 0);
}

TEST_CASE("bytes are chosen, or their sign") {
  CHECK_EQ(prmt_op::of(0x80112233, 0x44556677, 0x7310), 0x44802233);
  CHECK_EQ(prmt_op::of(0x80112233, 0x44556677, 0xb310), 0xff802233);
  CHECK_EQ(prmt_op::of(0x80112233, 0x44556677, 0xf310), 0x00802233);
}

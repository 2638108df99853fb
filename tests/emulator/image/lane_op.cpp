#include <tg/emulator/image/lane_op.hpp>

#include <doctest/doctest.h>

#include <initializer_list>

TEST_CASE("only 64-bit types take 8 bytes per lane") {
  using enum tg::emulator::lane_type;
  for (const auto t : {u64, s64, f64}) CHECK_EQ(tg::emulator::slot_bytes(t), 8);
  for (const auto t : {u8, s8, u16, s16, u32, s32, f16, bf16, f32}) CHECK_EQ(tg::emulator::slot_bytes(t), 4);
}

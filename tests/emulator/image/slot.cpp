#include <tg/emulator/image/slot.hpp>

#include <doctest/doctest.h>

TEST_CASE("a slot is a place and a width") {
  CHECK_EQ(tg::emulator::slot_ref{}.index, tg::emulator::no_slot);
  CHECK(tg::emulator::slot_ref{3, 4} == tg::emulator::slot_ref{3, 4});
  CHECK_FALSE(tg::emulator::slot_ref{3, 4} == tg::emulator::slot_ref{3, 8});
}

#include <tg/runtime/machine.hpp>

#include <cstdlib>

#include <tg/emulator/driver_table.hpp>

#include "hand_written.hpp"

using hand_written::error_of;
using tg::runtime::choose_machine;

TEST_CASE("TG_DEVICE is the wish of those who have none") {
  const char* before = std::getenv("TG_DEVICE");
  const std::string kept = before ? before : "";
  setenv("TG_DEVICE", "nonsense", 1);
  CHECK(error_of([] { choose_machine(); }).number == 520);
  CHECK(choose_machine("emulator").api == &tg::emulator::driver_table());
  setenv("TG_DEVICE", "emulator", 1);
  CHECK(choose_machine().api == &tg::emulator::driver_table());
  if (before) setenv("TG_DEVICE", kept.c_str(), 1);
  else unsetenv("TG_DEVICE");
}

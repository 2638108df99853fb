#include <tg/emulator/driver_table/table.hpp>

#include "session.hpp"

using driver_session::api;

TEST_CASE("the emulator has every function of the driver") {
  tg::driver::for_each_function(api(), [](const tg::driver::symbol& s, const auto& pointer) {
    CHECK_MESSAGE(static_cast<bool>(pointer), s.name);
  });
  CHECK(&tg::emulator::driver_table() == &api());
}

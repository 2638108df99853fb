#include <tg/emulator/driver_table/driver_table.hpp>

#include <tg/emulator/launch/finding.hpp>
#include <tg/emulator/run/run.hpp>

#include "session.hpp"

using driver_session::api;
using driver_session::result;

TEST_CASE("a launch is counted when asked for") {
  const driver_session::context c;
  const driver_session::module m;
  const driver_session::words w(64);
  CHECK(driver_session::launch(m.find("put"), w, 1) == result::success);
  tg::emulator::count_launches(true);
  CHECK(driver_session::launch(m.find("put"), w, 2) == result::success);
  const auto counted = tg::emulator::counters_of_last_launch();
  tg::emulator::count_launches(false);
  CHECK(driver_session::launch(m.find("add"), w, 2) == result::success);
  CHECK(tg::emulator::counters_of_last_launch() == counted);
  std::uint64_t sectors = 0;
  for (const auto& i : counted.instructions) sectors += i.sectors;
  CHECK(sectors == 8);  // 64 words of 4 bytes in sectors of 32
}

TEST_CASE("checks can be switched") {
  const driver_session::context c;
  const driver_session::module m;
  const driver_session::words w(4);
  tg::driver::device_address address = w.address;
  void* parameters[] = {&address};
  const auto crooked = [&] {
    return api().cuLaunchKernel(m.find("crooked"), 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr);
  };
  CHECK(crooked() == result::misaligned_address);
  tg::emulator::set_launch_options({.check = tg::emulator::check::checkers::none()});
  CHECK_FALSE(tg::emulator::launch_options().check.memory);
  CHECK(crooked() == result::success);
  tg::emulator::set_launch_options({});
  CHECK(crooked() == result::misaligned_address);
}

TEST_CASE("the emulator has every function of the driver") {
  tg::driver::for_each_function(
      api(), [](const tg::driver::symbol& s, const auto& pointer) { CHECK_MESSAGE(static_cast<bool>(pointer), s.name); });
  CHECK(&tg::emulator::driver_table() == &api());
}

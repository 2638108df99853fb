#include <tg/emulator/driver_table/machine.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include "session.hpp"

using namespace tg::emulator::entry;

namespace {

struct thing {
  tg::driver::context_handle owner;
  int value;
};

}  // namespace

TEST_CASE("a handle is found while its object lives and never given again") {
  registry<tg::driver::stream_handle, thing> all;
  const auto first = all.add(std::make_shared<thing>(thing{nullptr, 1}));
  const auto second = all.add(std::make_shared<thing>(thing{nullptr, 2}));
  CHECK(all.at(first)->value == 1);
  CHECK(all.take(first)->value == 1);
  CHECK_THROWS_AS(all.at(first), refused);
  const auto third = all.add(std::make_shared<thing>(thing{reinterpret_cast<tg::driver::context_handle>(8), 3}));
  CHECK(third != first);
  all.erase_owned_by(nullptr);
  CHECK_THROWS_AS(all.at(second), refused);
  CHECK(all.at(third)->value == 3);
}

TEST_CASE("whatever a call throws becomes a result") {
  const driver_session::context c;
  CHECK(guarded([](machine&) {}) == result::success);
  CHECK(guarded([](machine&) { require(true); }) == result::success);
  CHECK(guarded([](machine&) { require(false, result::not_found); }) == result::not_found);
  CHECK(guarded([](machine&) { throw std::bad_alloc(); }) == result::out_of_memory);
  CHECK(guarded([](machine&) { throw 7; }) == result::unknown);
  CHECK_FALSE(tg::emulator::last_report());
  CHECK(guarded([](machine&) { throw tg::error(tg::code{440}, "full"); }) == result::out_of_memory);
  REQUIRE(tg::emulator::last_report());
  CHECK(tg::emulator::last_report()->number() == 440);
  CHECK(guarded([](machine&) {}) == result::success);
  CHECK_FALSE(tg::emulator::last_report());
}

TEST_CASE("nothing works before cuInit") {
  the_machine().is_initialized = false;
  int count = 7;
  CHECK(driver_session::api().cuDeviceGetCount(&count) == result::not_initialized);
  CHECK(count == 7);
  CHECK(driver_session::api().cuInit(1) == result::invalid_value);
  CHECK(driver_session::api().cuInit(0) == result::success);
  CHECK(driver_session::api().cuDeviceGetCount(&count) == result::success);
  CHECK(count == 1);
}

TEST_CASE("a process that initialises the driver twice can fork") {
  the_machine().is_initialized = false;
  CHECK(driver_session::api().cuInit(0) == result::success);
  const pid_t child = fork();
  if (child == 0) _exit(0);
  int status = -1;
  REQUIRE_EQ(waitpid(child, &status, 0), child);
  CHECK_EQ(status, 0);
}

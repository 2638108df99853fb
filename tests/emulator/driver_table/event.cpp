#include <tg/emulator/driver_table/event.hpp>

#include <chrono>
#include <thread>

#include "session.hpp"

using driver_session::api;
using driver_session::result;
using namespace tg::emulator::entry;

TEST_CASE("events measure the time between two records") {
  const driver_session::context c;
  event_handle a = nullptr, b = nullptr, silent = nullptr;
  REQUIRE(api().cuEventCreate(&a, event_flag::default_) == result::success);
  REQUIRE(api().cuEventCreate(&b, event_flag::blocking_sync) == result::success);
  REQUIRE(api().cuEventCreate(&silent, event_flag::disable_timing) == result::success);
  CHECK(api().cuEventCreate(&a, static_cast<event_flag>(8)) == result::invalid_value);
  float ms = -1;
  CHECK(api().cuEventQuery(a) == result::success);
  CHECK(api().cuEventElapsedTime(&ms, a, b) == result::invalid_handle);
  CHECK(cuEventRecordWithFlags(a, nullptr, 0) == result::success);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  for (const event_handle e : {b, silent}) CHECK(cuEventRecordWithFlags(e, nullptr, 0) == result::success);
  CHECK(api().cuEventElapsedTime(&ms, a, b) == result::success);
  CHECK(ms >= 2);
  CHECK(api().cuEventElapsedTime(&ms, a, silent) == result::invalid_handle);
  CHECK(cuEventRecordWithFlags(a, nullptr, 1) == result::illegal_state);
  CHECK(cuCtxRecordEvent(c.handle, a) == result::success);
  CHECK(cuCtxWaitEvent(c.handle, a) == result::success);
  for (const event_handle e : {a, b, silent}) CHECK(api().cuEventDestroy(e) == result::success);
}

TEST_CASE("an event is recorded on streams of its own device, and waited for on those of any") {
  const driver_session::context c;
  const driver_session::second_device second;
  event_handle here = nullptr, there = nullptr;
  REQUIRE(api().cuEventCreate(&here, event_flag::default_) == result::success);
  {
    const driver_session::currently other(second.handle);
    REQUIRE(api().cuEventCreate(&there, event_flag::default_) == result::success);
    CHECK(api().cuEventRecord(here, nullptr) == result::invalid_handle);
    CHECK(api().cuEventRecord(there, nullptr) == result::success);
  }
  CHECK(api().cuEventRecord(there, nullptr) == result::invalid_handle);
  CHECK(api().cuEventRecord(here, nullptr) == result::success);
  CHECK(api().cuStreamWaitEvent(nullptr, there, 0) == result::success);
  CHECK(api().cuEventQuery(there) == result::success);
  CHECK(api().cuEventSynchronize(there) == result::success);
  float ms = 0;
  CHECK(api().cuEventElapsedTime(&ms, here, there) == result::invalid_handle);
  CHECK(api().cuEventElapsedTime(&ms, here, here) == result::success);
  for (const event_handle e : {here, there}) CHECK(api().cuEventDestroy(e) == result::success);
}

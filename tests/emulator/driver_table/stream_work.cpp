#include <tg/emulator/driver_table/stream_work.hpp>

#include <atomic>
#include <chrono>
#include <thread>

#include <tg/emulator/driver_table/copy.hpp>

#include "session.hpp"

using driver_session::api;
using driver_session::result;
using namespace tg::emulator::entry;

namespace {

struct held {
  std::atomic<bool> may_end{false};
  std::atomic<int> calls{0};
};

void wait_for_host(void* data) {
  auto& h = *static_cast<held*>(data);
  while (!h.may_end) std::this_thread::yield();
  ++h.calls;
}

}  // namespace

TEST_CASE("a host function holds its stream up, not the thread that gave it") {
  const driver_session::context c;
  const driver_session::words w(4);
  stream_handle s = nullptr, other = nullptr;
  REQUIRE(api().cuStreamCreate(&s, tg::driver::stream_flag::non_blocking) == result::success);
  REQUIRE(api().cuStreamCreate(&other, tg::driver::stream_flag::non_blocking) == result::success);
  held h;
  event_handle e = nullptr;
  REQUIRE(api().cuEventCreate(&e, tg::driver::event_flag::default_) == result::success);
  CHECK(cuLaunchHostFunc(s, wait_for_host, &h) == result::success);
  CHECK(cuMemsetD32Async(w.address, 1, 4, s) == result::success);
  CHECK(api().cuEventRecord(e, s) == result::success);
  CHECK(api().cuStreamQuery(s) == result::not_ready);
  CHECK(api().cuEventQuery(e) == result::not_ready);
  CHECK(cuMemsetD32Async(w.address + 12, 2, 1, other) == result::success);
  CHECK(api().cuStreamSynchronize(other) == result::success);
  CHECK(w.read() == std::vector<unsigned>{0, 0, 0, 2});
  CHECK(api().cuStreamWaitEvent(other, e, 0) == result::success);
  CHECK(cuMemsetD32Async(w.address, 7, 1, other) == result::success);
  CHECK(h.calls == 0);
  h.may_end = true;
  CHECK(api().cuStreamSynchronize(other) == result::success);
  CHECK(h.calls == 1);
  CHECK(w.read() == std::vector<unsigned>{7, 1, 1, 1});
  CHECK(api().cuEventQuery(e) == result::success);
  CHECK(cuLaunchHostFunc(s, nullptr, nullptr) == result::invalid_value);
  CHECK(api().cuEventDestroy(e) == result::success);
  CHECK(api().cuStreamDestroy(s) == result::success);
  CHECK(api().cuStreamDestroy(other) == result::success);
}

TEST_CASE("what goes wrong behind a host function is said by the next wait, once") {
  const driver_session::context c;
  const driver_session::words w(4);
  stream_handle s = nullptr;
  REQUIRE(api().cuStreamCreate(&s, tg::driver::stream_flag::non_blocking) == result::success);
  held h;
  CHECK(cuLaunchHostFunc(s, wait_for_host, &h) == result::success);
  CHECK(cuMemsetD32Async(w.address, 1, 5, s) == result::success);
  h.may_end = true;
  CHECK(api().cuStreamSynchronize(s) == result::invalid_value);
  CHECK(api().cuStreamSynchronize(s) == result::success);
  CHECK(api().cuStreamDestroy(s) == result::success);
}

TEST_CASE("a stream waits for a number that the host or another stream writes") {
  const driver_session::context c;
  const driver_session::words w(4);
  stream_handle s = nullptr, other = nullptr;
  REQUIRE(api().cuStreamCreate(&s, tg::driver::stream_flag::non_blocking) == result::success);
  REQUIRE(api().cuStreamCreate(&other, tg::driver::stream_flag::non_blocking) == result::success);
  CHECK(cuStreamWaitValue32(s, w.address, 5, 0) == result::success);
  CHECK(cuMemsetD32Async(w.address + 4, 1, 1, s) == result::success);
  CHECK(cuStreamWriteValue32(other, w.address, 4, 0) == result::success);
  CHECK(api().cuStreamSynchronize(other) == result::success);
  CHECK(api().cuStreamQuery(s) == result::not_ready);
  CHECK(cuStreamWriteValue64(other, w.address, 6, 0) == result::success);
  CHECK(api().cuStreamSynchronize(s) == result::success);
  CHECK(w.read()[0] == 6);
  CHECK(cuStreamWaitValue32(s, w.address + 2, 5, 0) == result::invalid_value);
  CHECK(api().cuStreamDestroy(s) == result::success);
  CHECK(api().cuStreamDestroy(other) == result::success);
}

TEST_CASE("attributes of streams are taken and forgotten") {
  const driver_session::context c;
  tg::driver::launch_attribute_value v{};
  v.number = 3;
  CHECK(cuStreamSetAttribute(nullptr, 3, &v) == result::success);
  CHECK(cuStreamGetAttribute(nullptr, 3, &v) == result::success);
  CHECK(v.number == 0);
  CHECK(cuStreamSetAttribute(nullptr, 3, nullptr) == result::invalid_value);
}

#include <tg/runtime/event.hpp>

#include <atomic>
#include <chrono>
#include <thread>

#include <tg/runtime/stream.hpp>

#include "hand_written.hpp"

using hand_written::error_of;

TEST_CASE("an event is done when the work before it is, and two measure the time between them") {
  const tg::device gpu("emulator");
  std::atomic<bool> go = false;
  tg::event start(gpu), end(gpu);
  auto work = tg::stream(gpu, {.is_non_blocking = true}).begin();
  work.record(start);
  work.call([&] {
    while (!go) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  });
  work.record(end);
  start.synchronize();
  CHECK(start.is_done());
  CHECK_FALSE(end.is_done());
  CHECK(error_of([&] { milliseconds_between(start, end); }).says("CUDA_ERROR_NOT_READY"));
  go = true;
  end.synchronize();
  CHECK(end.is_done());
  CHECK(milliseconds_between(start, end) >= 4.0);
  CHECK(milliseconds_between(start, end) < 10000.0);
}

TEST_CASE("events without time or record are refused: TG537") {
  const tg::device gpu("emulator");
  auto work = tg::stream(gpu).begin();
  tg::event timed(gpu), fresh(gpu), cheap(gpu, {.has_time = false, .is_blocking_wait = true});
  work.record(timed);
  work.record(cheap);
  CHECK(error_of([&] { milliseconds_between(timed, fresh); }).says("TG537: the second event was not recorded"));
  CHECK(error_of([&] { milliseconds_between(cheap, timed); }).says("TG537: the first event was made without time"));
  CHECK(error_of([&] { work.wait_for(fresh); }).number == 537);
  CHECK(error_of([&] { work.wait_for(cheap); }).number == 0);
  CHECK_FALSE(fresh.is_recorded());
  CHECK(cheap.is_recorded());
  work.record(fresh);
  fresh.synchronize();
  CHECK(milliseconds_between(timed, fresh) >= 0.0);
}

TEST_CASE("a failed query is told by its own name") {
  auto api = hand_written::gpu_table();
  api.cuEventQuery = [](tg::driver::event_handle) { return tg::driver::result::illegal_address; };
  const tg::device gpu(tg::runtime::machine{&api});
  auto work = tg::stream(gpu).begin();
  tg::event e(gpu);
  work.record(e);
  CHECK(error_of([&] { (void)e.is_done(); }).says("CUDA_ERROR_ILLEGAL_ADDRESS"));
}

TEST_CASE("an event of another device is refused by name") {
  auto api = hand_written::emulator_table();
  const tg::device gpu("emulator"), other(tg::runtime::machine{&api});
  auto work = tg::stream(gpu).begin();
  tg::event own(gpu), foreign(other);
  work.record(own);
  CHECK(error_of([&] { work.record(foreign); }).says("TG524: the event belongs to"));
}

TEST_CASE("a moved event is the same event") {
  const tg::device gpu("emulator");
  tg::event a(gpu);
  const auto handle = a.native();
  tg::event b = std::move(a);
  CHECK(b.native() == handle);
  tg::event c(gpu);
  c = std::move(b);
  CHECK(c.native() == handle);
  CHECK(error_of([&] { (void)b.native(); }).number == 532);
}

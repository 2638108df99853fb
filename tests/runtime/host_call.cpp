#include <tg/runtime/host_call.hpp>

#include <atomic>
#include <thread>

#include <tg/runtime/pool.hpp>
#include <tg/runtime/stream.hpp>
#include <tg/runtime/stream_work.hpp>

#include "hand_written.hpp"

using hand_written::error_of;

TEST_CASE("a closure that owns a buffer gives it back on a thread on which the driver may be called") {
  static std::atomic<int> freed, freed_in_host_call;
  freed = freed_in_host_call = 0;
  auto api = hand_written::emulator_table();
  api.cuMemFree = [](tg::driver::device_address address) {
    ++freed;
    if (tg::runtime::is_in_host_call) {  // a driver waits for itself here
      ++freed_in_host_call;
      return tg::driver::result::not_permitted;
    }
    return tg::emulator::driver_table().cuMemFree(address);
  };
  const tg::device gpu(tg::runtime::machine{&api});
  tg::stream_view work(gpu, nullptr);
  auto shared = std::make_shared<tg::buffer<int>>(gpu.context(), 4);
  work.call([kept = std::move(shared)] {});
  work.synchronize();
  CHECK(freed == 1);
  auto body = std::make_shared<tg::buffer<int>>(gpu.context(), 4);
  work.call([body]() mutable { *body = {}; });
  work.synchronize();
  CHECK(freed == 2);
  CHECK(freed_in_host_call == 0);
}

TEST_CASE("a call of the driver in a function that the driver calls is refused: TG545") {
  const tg::device gpu("emulator");
  tg::buffer<int> y(gpu.context(), 4);
  tg::stream_view work(gpu, nullptr);
  hand_written::thrown wrong;
  work.call([&] { wrong = error_of([&] { y.zero(); }); });
  work.synchronize();
  CHECK(wrong.number == 545);
  CHECK(wrong.says("cuMemsetD8 in a function that the driver calls"));
  y.zero();
}

TEST_CASE("jobs are done before a wait returns, one that waits itself too") {
  std::atomic<int> done = 0;
  for (int i = 0; i < 3; ++i)
    tg::runtime::after_host_calls::post([&] {
      tg::runtime::after_host_calls::wait();
      ++done;
    });
  tg::runtime::after_host_calls::wait();
  CHECK(done == 3);
}

TEST_CASE("a closure that owns a pool's memory gives it back while the pool waits for its stream") {
  const tg::device gpu("emulator");
  tg::pool pool(gpu);
  auto work = tg::stream(gpu).begin();
  for (int i = 0; i < 50; ++i) {
    work.call([kept = std::make_shared<tg::pooled<int>>(pool.allocate<int>(100, work))] {});
    pool.trim();
  }
  (void)std::move(work).submit().wait();
  CHECK(pool.statistics().live == 0);
}

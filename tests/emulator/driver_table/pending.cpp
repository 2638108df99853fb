#include <tg/emulator/driver_table/pending.hpp>

#include <chrono>
#include <set>
#include <thread>
#include <vector>

#include "session.hpp"

using driver_session::api;
using driver_session::result;
using tg::driver::stream_flag;
using tg::driver::stream_handle;

namespace {

/// Streams run asynchronously while it lives.
struct asynchronous {
  explicit asynchronous(std::uint64_t seed) { tg::emulator::run_streams_asynchronously(true, seed); }
  ~asynchronous() { tg::emulator::run_streams_asynchronously(false); }
};

struct stream {
  explicit stream(stream_flag flags = stream_flag::non_blocking) {
    REQUIRE(api().cuStreamCreate(&handle, flags) == result::success);
  }
  ~stream() { api().cuStreamDestroy(handle); }
  stream_handle handle = nullptr;
};

/// What a word is after two streams have written it; the second waits for the first or forgets to.
unsigned written(std::uint64_t seed, bool waits, const driver_session::words& w) {
  const asynchronous order(seed);
  const stream first, second;
  tg::driver::event_handle done = nullptr;
  REQUIRE(api().cuEventCreate(&done, tg::driver::event_flag::disable_timing) == result::success);
  CHECK(api().cuMemsetD32Async(w.address, 1, 1, first.handle) == result::success);
  CHECK(api().cuEventRecord(done, first.handle) == result::success);
  if (waits) CHECK(api().cuStreamWaitEvent(second.handle, done, 0) == result::success);
  CHECK(api().cuMemsetD32Async(w.address, 2, 1, second.handle) == result::success);
  CHECK(api().cuCtxSynchronize() == result::success);
  unsigned out = 0;
  CHECK(api().cuMemcpyDtoH(&out, w.address, 4) == result::success);
  CHECK(api().cuEventDestroy(done) == result::success);
  return out;
}

}  // namespace

TEST_CASE("a forgotten wait between streams shows with some seed, the same seed shows it again, and a wait mends it") {
  const driver_session::context c;
  const driver_session::words w(4);
  std::set<unsigned> forgotten, waited;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const unsigned out = written(seed, false, w);
    CHECK(written(seed, false, w) == out);
    forgotten.insert(out);
    waited.insert(written(seed, true, w));
  }
  CHECK(forgotten == std::set<unsigned>{1, 2});
  CHECK(waited == std::set<unsigned>{2});
}

TEST_CASE("a non-blocking stream is not ordered with plain fills and copies, a blocking one is") {
  const driver_session::context c;
  const driver_session::words w(4);
  for (const auto flags : {stream_flag::non_blocking, stream_flag::default_}) {
    std::set<unsigned> early, late;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      const asynchronous order(seed);
      const stream s(flags);
      unsigned out = 0;
      CHECK(api().cuMemsetD32(w.address, 1, 1) == result::success);
      CHECK(api().cuMemsetD32Async(w.address, 2, 1, s.handle) == result::success);
      CHECK(api().cuMemcpyDtoH(&out, w.address, 4) == result::success);  // waits for no non-blocking stream
      early.insert(out);
      CHECK(api().cuCtxSynchronize() == result::success);
      CHECK(api().cuMemcpyDtoH(&out, w.address, 4) == result::success);
      late.insert(out);
    }
    const bool is_ordered = flags == stream_flag::default_;
    CHECK(early == (is_ordered ? std::set<unsigned>{2} : std::set<unsigned>{1}));
    CHECK(late == (is_ordered ? std::set<unsigned>{2} : std::set<unsigned>{1, 2}));
  }
}

TEST_CASE("plain uploads take the host's bytes when they are called") {
  const driver_session::context c;
  const driver_session::words w(4);
  const asynchronous order(1);
  unsigned value = 7;
  CHECK(api().cuMemcpyHtoD(w.address, &value, 4) == result::success);
  value = 8;
  unsigned out = 0;
  CHECK(api().cuMemcpyDtoH(&out, w.address, 4) == result::success);
  CHECK(out == 7);
}

TEST_CASE("work goes on when a program only asks, or looks at memory that the device writes") {
  const driver_session::context c;
  const asynchronous order(1);
  const stream s;
  void* memory = nullptr;
  CHECK(api().cuMemHostAlloc(&memory, 4, 0) == result::success);
  auto* const word = static_cast<volatile unsigned*>(memory);
  *word = 0;
  CHECK(api().cuMemsetD32Async(reinterpret_cast<tg::driver::device_address>(memory), 3, 1, s.handle) == result::success);
  for (int k = 0; api().cuStreamQuery(s.handle) != result::success; ++k) REQUIRE(k < 10);
  CHECK(*word == 3);
  CHECK(api().cuMemsetD32Async(reinterpret_cast<tg::driver::device_address>(memory), 4, 1, s.handle) == result::success);
  for (int k = 0; *word != 4; ++k) {
    REQUIRE(k < 5000);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  int called = 0;
  CHECK(api().cuLaunchHostFunc(s.handle, [](void* p) { ++*static_cast<int*>(p); }, &called) == result::success);
  CHECK(api().cuStreamSynchronize(s.handle) == result::success);
  CHECK(called == 1);
  CHECK(api().cuMemFreeHost(memory) == result::success);
}

#include <tg/emulator/driver_table/stream.hpp>

#include <chrono>
#include <functional>
#include <thread>
#include <vector>

#include "session.hpp"

using driver_session::api;
using driver_session::result;
using tg::driver::capture_mode;
using tg::driver::capture_status;
using tg::driver::event_flag;
using tg::driver::event_handle;
using tg::driver::graph_handle;
using tg::driver::stream_flag;
using tg::driver::stream_handle;

namespace {

struct stream {
  explicit stream(stream_flag flags = stream_flag::non_blocking) {
    REQUIRE(api().cuStreamCreate(&handle, flags) == result::success);
  }
  ~stream() { api().cuStreamDestroy(handle); }
  capture_status status() const {
    capture_status out{};
    CHECK(api().cuStreamIsCapturing(handle, &out) == result::success);
    return out;
  }
  result begin(capture_mode mode = capture_mode::global) { return api().cuStreamBeginCapture(handle, mode); }
  result end() {
    graph_handle graph = nullptr;
    const result r = api().cuStreamEndCapture(handle, &graph);
    CHECK((graph != nullptr) == (r == result::success));
    if (graph) api().cuGraphDestroy(graph);
    return r;
  }
  stream_handle handle = nullptr;
};

struct event {
  event() { REQUIRE(api().cuEventCreate(&handle, event_flag::default_) == result::success); }
  ~event() { api().cuEventDestroy(handle); }
  event_handle handle = nullptr;
};

}  // namespace

TEST_CASE("streams are made, waited for and ended once") {
  const driver_session::context c;
  stream_handle s = nullptr;
  REQUIRE(api().cuStreamCreateWithPriority(&s, stream_flag::non_blocking, -1) == result::success);
  CHECK(api().cuStreamSynchronize(s) == result::success);
  CHECK(api().cuStreamQuery(s) == result::success);
  CHECK(api().cuStreamSynchronize(nullptr) == result::success);
  CHECK(api().cuStreamDestroy(s) == result::success);
  CHECK(api().cuStreamDestroy(s) == result::invalid_handle);
  CHECK(api().cuStreamSynchronize(s) == result::invalid_handle);
  CHECK(api().cuStreamCreate(&s, static_cast<stream_flag>(8)) == result::invalid_value);
}

TEST_CASE("events tell the time between them") {
  const driver_session::context c;
  const event a, b;
  float ms = -1;
  CHECK(api().cuEventElapsedTime(&ms, a.handle, b.handle) == result::invalid_handle);
  CHECK(api().cuEventRecord(a.handle, nullptr) == result::success);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  CHECK(api().cuEventRecord(b.handle, nullptr) == result::success);
  CHECK(api().cuEventSynchronize(b.handle) == result::success);
  CHECK(api().cuEventQuery(b.handle) == result::success);
  CHECK(api().cuEventElapsedTime(&ms, a.handle, b.handle) == result::success);
  CHECK(ms >= 2);
  event_handle silent = nullptr;
  CHECK(api().cuEventCreate(&silent, event_flag::disable_timing) == result::success);
  CHECK(api().cuEventRecord(silent, nullptr) == result::success);
  CHECK(api().cuEventElapsedTime(&ms, a.handle, silent) == result::invalid_handle);
  CHECK(api().cuEventDestroy(silent) == result::success);
  CHECK(api().cuEventDestroy(silent) == result::invalid_handle);
}

TEST_CASE("a capture collects work and does none") {
  const driver_session::context c;
  const driver_session::words w(4);
  stream s;
  CHECK(s.status() == capture_status::none);
  CHECK(s.begin() == result::success);
  CHECK(s.status() == capture_status::active);
  CHECK(s.begin() == result::illegal_state);
  CHECK(api().cuMemsetD32Async(w.address, 5, 4, s.handle) == result::success);
  CHECK(s.end() == result::success);
  CHECK(s.status() == capture_status::none);
  CHECK(w.read() == std::vector<unsigned>(4, 0));
  CHECK(s.end() == result::illegal_state);
  CHECK(api().cuStreamBeginCapture(nullptr, capture_mode::global) == result::stream_capture_unsupported);
}

TEST_CASE("calls that a capture cannot hold end it") {
  const driver_session::context c;
  const driver_session::words w(4);
  unsigned value = 1;
  for (const auto call :
       {+[](const driver_session::words&, unsigned*, stream_handle) { return api().cuCtxSynchronize(); },
        +[](const driver_session::words&, unsigned*, stream_handle s) { return api().cuStreamSynchronize(s); },
        +[](const driver_session::words&, unsigned*, stream_handle s) { return api().cuStreamQuery(s); },
        +[](const driver_session::words& w, unsigned* v, stream_handle) { return api().cuMemcpyDtoH(v, w.address, 4); },
        +[](const driver_session::words& w, unsigned* v, stream_handle) { return api().cuMemcpyHtoD(w.address, v, 4); }}) {
    stream s;
    CHECK(s.begin() == result::success);
    CHECK(call(w, &value, s.handle) == result::stream_capture_unsupported);
    CHECK(s.status() == capture_status::invalidated);
    CHECK(api().cuMemsetD32Async(w.address, 5, 4, s.handle) == result::stream_capture_invalidated);
    CHECK(s.end() == result::stream_capture_invalidated);
    CHECK(api().cuCtxSynchronize() == result::success);
  }
  tg::driver::device_address a = 0;
  stream s;
  CHECK(s.begin(capture_mode::relaxed) == result::success);
  CHECK(api().cuMemAlloc(&a, 4) == result::success);
  CHECK(api().cuMemFree(a) == result::success);
  CHECK(api().cuMemAllocAsync(&a, 4, s.handle) == result::success);
  CHECK(s.end() == result::success);
}

TEST_CASE("the legacy stream breaks the capture of a stream that waits for it") {
  const driver_session::context c;
  const driver_session::words w(1);
  stream blocking(stream_flag::default_);
  CHECK(blocking.begin(capture_mode::relaxed) == result::success);
  CHECK(api().cuMemsetD32Async(w.address, 1, 1, nullptr) == result::stream_capture_implicit);
  CHECK(blocking.end() == result::stream_capture_invalidated);
  stream free;
  CHECK(free.begin(capture_mode::relaxed) == result::success);
  CHECK(api().cuMemsetD32Async(w.address, 1, 1, nullptr) == result::success);
  CHECK(free.end() == result::success);
}

TEST_CASE("a capture forks over an event and must be joined") {
  const driver_session::context c;
  const driver_session::words w(4);
  stream origin, branch;
  const event fork, join;
  SUBCASE("asked about inside, which spoils it") {
    CHECK(origin.begin() == result::success);
    CHECK(api().cuEventRecord(fork.handle, origin.handle) == result::success);
    CHECK(api().cuStreamWaitEvent(branch.handle, fork.handle, 0) == result::success);
    CHECK(branch.status() == capture_status::active);
    CHECK(branch.end() == result::stream_capture_unmatched);
    CHECK(api().cuEventQuery(fork.handle) == result::captured_event);
    CHECK(api().cuEventRecord(join.handle, branch.handle) == result::stream_capture_invalidated);
    CHECK(origin.end() == result::stream_capture_invalidated);
  }
  SUBCASE("a branch that the origin never waited for") {
    CHECK(origin.begin() == result::success);
    CHECK(api().cuEventRecord(fork.handle, origin.handle) == result::success);
    CHECK(api().cuStreamWaitEvent(branch.handle, fork.handle, 0) == result::success);
    CHECK(api().cuMemsetD32Async(w.address, 1, 4, branch.handle) == result::success);
    CHECK(origin.end() == result::stream_capture_unjoined);
    CHECK(branch.status() == capture_status::none);
  }
  SUBCASE("joined") {
    CHECK(origin.begin() == result::success);
    CHECK(api().cuEventRecord(fork.handle, origin.handle) == result::success);
    CHECK(api().cuStreamWaitEvent(branch.handle, fork.handle, 0) == result::success);
    CHECK(api().cuMemsetD32Async(w.address, 1, 4, branch.handle) == result::success);
    CHECK(api().cuEventRecord(join.handle, branch.handle) == result::success);
    CHECK(api().cuStreamWaitEvent(origin.handle, join.handle, 0) == result::success);
    CHECK(origin.end() == result::success);
    CHECK(branch.status() == capture_status::none);
    CHECK(api().cuStreamWaitEvent(branch.handle, join.handle, 0) == result::captured_event);
  }
}

TEST_CASE("captures do not mix and belong to their thread") {
  const driver_session::context c;
  stream a, b;
  const event before, inside;
  CHECK(api().cuEventRecord(before.handle, nullptr) == result::success);
  CHECK(a.begin(capture_mode::thread_local_) == result::success);
  CHECK(b.begin(capture_mode::thread_local_) == result::success);
  CHECK(api().cuEventRecord(inside.handle, a.handle) == result::success);
  CHECK(api().cuStreamWaitEvent(b.handle, inside.handle, 0) == result::stream_capture_merge);
  CHECK(b.end() == result::stream_capture_invalidated);
  std::thread([&] { CHECK(a.end() == result::stream_capture_wrong_thread); }).join();
  CHECK(api().cuStreamWaitEvent(a.handle, before.handle, 0) == result::stream_capture_isolation);
  CHECK(a.end() == result::stream_capture_invalidated);
}

TEST_CASE("what a capture forbids depends on its mode, on the mode of the thread that calls, and on whose capture it is") {
  const driver_session::context c;
  const driver_session::words w(4);
  unsigned value = 1;
  const auto forbidden = [](result r) { return r == result::stream_capture_unsupported; };
  const event fresh;
  stream other;
  tg::driver::device_address memory = 0;
  void* host = nullptr;
  tg::driver::module_handle module = nullptr;
  const char text[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }\n";
  const std::vector<std::function<result()>> unsafe{
      [&] { return api().cuMemAlloc(&memory, 4); },
      [&] { return api().cuMemFree(0); },
      [&] { return api().cuMemAllocManaged(&memory, 4, 1); },
      [&] { return api().cuMemHostAlloc(&host, 4, 0); },
      [&] { return api().cuMemFreeHost(nullptr); },
      [&] { return api().cuEventQuery(fresh.handle); },
      [&] { return api().cuEventSynchronize(fresh.handle); },
      [&] { return api().cuStreamQuery(other.handle); },
      [&] { return api().cuStreamSynchronize(other.handle); },
      [&] { return api().cuMemcpyHtoD(w.address, &value, 4); },
      [&] { return api().cuModuleLoadDataEx(&module, text, 0, nullptr, nullptr); },
  };
  const auto in_mode = [](capture_mode mode, const std::function<result()>& call) {
    api().cuThreadExchangeStreamCaptureMode(&mode);
    const result r = call();
    api().cuThreadExchangeStreamCaptureMode(&mode);
    return r;
  };
  using enum capture_mode;
  for (const capture_mode of_capture : {global, thread_local_, relaxed})
    for (const capture_mode of_thread : {global, thread_local_, relaxed})
      for (const bool is_own_thread : {true, false})
        for (std::size_t i = 0; i < unsafe.size(); ++i) {
          CAPTURE(static_cast<int>(of_capture));
          CAPTURE(static_cast<int>(of_thread));
          CAPTURE(is_own_thread);
          CAPTURE(i);
          stream s;
          REQUIRE(s.begin(of_capture) == result::success);
          result r{};
          if (is_own_thread) r = in_mode(of_thread, unsafe[i]);
          else
            std::thread([&] {
              tg::driver::context_handle here = c.handle;
              api().cuCtxSetCurrent(here);
              r = in_mode(of_thread, unsafe[i]);
            }).join();
          const bool is_forbidden =
              of_thread != relaxed && (is_own_thread ? of_capture != relaxed : of_capture == global && of_thread == global);
          CHECK(forbidden(r) == is_forbidden);
          CHECK((s.status() == capture_status::invalidated) == is_forbidden);
          CHECK(s.end() == (is_forbidden ? result::stream_capture_invalidated : result::success));
        }
}

TEST_CASE("the wait for a context breaks its captures in every mode; whether the legacy stream is captured may be asked") {
  const driver_session::context c;
  for (const capture_mode mode : {capture_mode::global, capture_mode::thread_local_, capture_mode::relaxed}) {
    stream s;
    capture_status status{};
    CHECK(s.begin(mode) == result::success);
    CHECK(api().cuStreamIsCapturing(nullptr, &status) == result::success);
    CHECK(api().cuCtxSynchronize() == result::stream_capture_unsupported);
    CHECK(s.end() == result::stream_capture_invalidated);
    stream blocking(stream_flag::default_);
    CHECK(blocking.begin(mode) == result::success);
    CHECK(api().cuStreamIsCapturing(nullptr, &status) == result::stream_capture_implicit);
    CHECK(blocking.end() == result::success);
  }
}

// Each case has a planted fault, which is found although the streams of the emulator run one after the other, and a clean twin.
#include <tg/emulator/driver_table/stream_check.hpp>

#include <string>
#include <vector>

#include <tg/emulator/driver_table/stream_work.hpp>
#include <tg/emulator/launch/launch_shape.hpp>

#include "session.hpp"

using driver_session::api;
using driver_session::launch;
using driver_session::result;
using tg::driver::device_address;
using tg::driver::event_flag;
using tg::driver::event_handle;
using tg::driver::stream_flag;
using tg::driver::stream_handle;
using tg::emulator::check::finding;

namespace {

struct stream {
  explicit stream(stream_flag flags = stream_flag::non_blocking) {
    REQUIRE(api().cuStreamCreate(&handle, flags) == result::success);
  }
  ~stream() { api().cuStreamDestroy(handle); }
  stream_handle handle = nullptr;
};

struct event {
  event() { REQUIRE(api().cuEventCreate(&handle, event_flag::disable_timing) == result::success); }
  ~event() { api().cuEventDestroy(handle); }
  void record(const stream& s) { CHECK(api().cuEventRecord(handle, s.handle) == result::success); }
  void hold(const stream& s) { CHECK(api().cuStreamWaitEvent(s.handle, handle, 0) == result::success); }
  event_handle handle = nullptr;
};

/// A context whose launches look for races, two kernels, 64 words that are ready, two non-blocking streams.
struct world {
  world() {
    tg::emulator::set_launch_options({.check = {.race = true}});
    tg::emulator::take_findings();
    settle();
  }
  ~world() {
    settle();
    tg::emulator::take_findings();
    tg::emulator::set_launch_options({});
  }
  static void settle() { CHECK(api().cuCtxSynchronize() == result::success); }
  result put(stream_handle s) { return launch(m.find("put"), w, 1, s); }
  result add(stream_handle s) { return launch(m.find("add"), w, 1, s); }
  /// The one race since the last call; empty when there is none.
  static std::string race() {
    const auto found = tg::emulator::take_findings();
    REQUIRE(found.size() <= 1);
    if (found.empty()) return "";
    CHECK(static_cast<int>(found[0].code) == 429);
    CHECK(found[0].kind == tg::emulator::check::checker::race);
    return tg::emulator::check::to_text(found[0]);
  }

  driver_session::context c;
  driver_session::module m;
  driver_session::words w{64};
  stream one, two;
  event done, other;
};

bool says(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("two kernels on two streams: a wait for an event is missing") {
  for (const bool is_right : {false, true}) {
    world with;
    CHECK(with.put(with.one.handle) == result::success);
    with.done.record(with.one);
    if (is_right) with.done.hold(with.two);
    CHECK(with.add(with.two.handle) == (is_right ? result::success : result::launch_failed));
    const std::string found = world::race();
    CHECK(found.empty() == is_right);
    if (is_right) continue;
    CHECK(says(found, "TG429 race: Race reported between kernel 'add' on the non-blocking stream 0x"));
    CHECK(says(found, " and kernel 'put' on the non-blocking stream 0x"));
    CHECK(says(found, "is not ordered: 256 bytes from there on are written by both, 0 bytes inside the allocation at 0x"));
    CHECK(says(found, " of size 256 bytes"));
    CHECK(says(found, "to do: record an event on the stream of the second, behind it, and let the stream of the first wait"));
  }
}

TEST_CASE("a wait for the wrong event, or for one that was recorded too early") {
  for (const bool is_early : {false, true}) {
    world with;
    if (is_early) with.done.record(with.one);
    CHECK(with.put(with.one.handle) == result::success);
    if (!is_early) with.done.record(with.one);
    with.other.record(with.two);
    (is_early ? with.done : with.other).hold(with.two);
    CHECK(with.add(with.two.handle) == result::launch_failed);
    CHECK(says(world::race(), "kernel 'put'"));
  }
  world with;  // right: by way of a third stream
  const stream third;
  CHECK(with.put(with.one.handle) == result::success);
  with.done.record(with.one);
  with.done.hold(third);
  with.other.record(third);
  with.other.hold(with.two);
  CHECK(with.add(with.two.handle) == result::success);
  CHECK(world::race().empty());
}

TEST_CASE("the legacy stream waits for blocking streams and not for others") {
  for (const stream_flag flags : {stream_flag::non_blocking, stream_flag::default_}) {
    const bool is_right = flags == stream_flag::default_;
    world with;
    const stream s(flags);
    CHECK(api().cuMemsetD32(with.w.address, 5, 64) == result::success);
    CHECK(with.add(s.handle) == (is_right ? result::success : result::launch_failed));
    const std::string found = world::race();
    CHECK(found.empty() == is_right);
    if (!is_right) CHECK(says(found, "and fill of 256 bytes on the legacy default stream"));
    if (!is_right)
      CHECK(says(found, "to do: the legacy default stream and non-blocking ones do not wait for each other: record"));
    unsigned words[64];
    world::settle();
    CHECK(with.add(s.handle) == result::success);
    CHECK(api().cuMemcpyDtoH(words, with.w.address, 256) == (is_right ? result::success : result::launch_failed));
    CHECK(world::race().empty() == is_right);
  }
}

TEST_CASE("a copy beside a kernel; memory that the device does not know is the host's own") {
  for (const bool is_right : {false, true}) {
    world with;
    std::vector<unsigned> host(64);
    CHECK(with.put(with.one.handle) == result::success);
    if (is_right) CHECK(api().cuStreamSynchronize(with.one.handle) == result::success);
    CHECK(api().cuMemcpyDtoHAsync(host.data(), with.w.address, 128, with.two.handle) ==
          (is_right ? result::success : result::launch_failed));
    const std::string found = world::race();
    CHECK(found.empty() == is_right);
    if (!is_right) CHECK(says(found, "between copy of 128 bytes on the non-blocking stream"));
    if (!is_right) CHECK(says(found, "are read by the first and written by the second"));
  }
  world with;
  std::vector<unsigned> host(64);
  CHECK(api().cuMemcpyDtoHAsync(host.data(), with.w.address, 128, with.one.handle) == result::success);
  CHECK(api().cuMemcpyDtoHAsync(host.data(), with.w.address, 128, with.two.handle) == result::success);
  CHECK(api().cuMemsetD32(with.w.address, 5, 64) == result::success);  // copies to pageable memory have been waited for
  CHECK(world::race().empty());
}

TEST_CASE("two copies to the same pinned memory") {
  for (const bool is_right : {false, true}) {
    world with;
    void* pinned = nullptr;
    REQUIRE(api().cuMemHostAlloc(&pinned, 256, 0) == result::success);
    CHECK(api().cuMemcpyDtoHAsync(pinned, with.w.address, 128, with.one.handle) == result::success);
    auto* const second = static_cast<std::byte*>(pinned) + (is_right ? 128 : 64);
    CHECK(api().cuMemcpyDtoHAsync(second, with.w.address, 128, with.two.handle) ==
          (is_right ? result::success : result::launch_failed));
    CHECK(world::race().empty() == is_right);
    CHECK(api().cuMemFreeHost(pinned) == result::success);
  }
}

TEST_CASE("memory that is given back on another stream while a kernel uses it, or used before it is there") {
  for (const bool is_right : {false, true}) {
    world with;
    driver_session::words w{64};
    world::settle();
    device_address address = 0;
    REQUIRE(api().cuMemAllocAsync(&address, 256, with.one.handle) == result::success);
    if (is_right) with.done.record(with.one);
    if (is_right) with.done.hold(with.two);
    CHECK(api().cuMemsetD8Async(address, 0, 256, with.two.handle) == (is_right ? result::success : result::launch_failed));
    const std::string early = world::race();
    CHECK(early.empty() == is_right);
    if (!is_right) CHECK(says(early, "and allocation of 256 bytes on the non-blocking stream"));
    CHECK(api().cuStreamSynchronize(with.one.handle) == result::success);
    CHECK(api().cuMemsetD8Async(address, 0, 256, with.two.handle) == result::success);
    if (is_right) with.done.record(with.two);
    if (is_right) with.done.hold(with.one);
    CHECK(api().cuMemFreeAsync(address, with.one.handle) == (is_right ? result::success : result::launch_failed));
    const std::string late = world::race();
    CHECK(late.empty() == is_right);
    if (!is_right) CHECK(says(late, "between release of memory on the non-blocking stream"));
  }
}

TEST_CASE("the host orders streams by what it waits for") {
  const std::vector<void (*)(world&)> waits{
      [](world& w) { CHECK(api().cuStreamSynchronize(w.one.handle) == result::success); },
      [](world& w) { CHECK(api().cuStreamQuery(w.one.handle) == result::success); },
      [](world& w) { CHECK(api().cuEventSynchronize(w.done.handle) == result::success); },
      [](world& w) { CHECK(api().cuEventQuery(w.done.handle) == result::success); },
      [](world&) { CHECK(api().cuCtxSynchronize() == result::success); },
  };
  for (const auto wait : waits) {
    world with;
    CHECK(with.put(with.one.handle) == result::success);
    with.done.record(with.one);
    wait(with);
    CHECK(with.add(with.two.handle) == result::success);
    CHECK(world::race().empty());
  }
  world with;
  CHECK(with.put(with.one.handle) == result::success);
  CHECK(api().cuStreamSynchronize(with.two.handle) == result::success);  // the wrong one
  CHECK(with.add(with.two.handle) == result::launch_failed);
  CHECK_FALSE(world::race().empty());
}

TEST_CASE("a number that one stream writes and another waits for orders them; two readers need no order") {
  world with;
  driver_session::words flag{1};
  world::settle();
  CHECK(with.put(with.one.handle) == result::success);
  CHECK(tg::emulator::entry::cuStreamWriteValue32(with.one.handle, flag.address, 1, 0) == result::success);
  CHECK(tg::emulator::entry::cuStreamWaitValue32(with.two.handle, flag.address, 1, 0) == result::success);
  CHECK(with.add(with.two.handle) == result::success);
  CHECK(world::race().empty());
  world::settle();
  std::vector<unsigned> host(64);
  for (const stream* s : {&with.one, &with.two})
    CHECK(api().cuMemcpyDtoHAsync(host.data(), with.w.address, 256, s->handle) == result::success);
  CHECK(world::race().empty());
}

TEST_CASE("a race is found with asynchronous streams too, and none where races are not looked for") {
  for (std::uint64_t seed = 0; seed < 4; ++seed)
    for (const bool is_right : {false, true}) {
      world with;
      tg::emulator::run_streams_asynchronously(true, seed);
      CHECK(with.put(with.one.handle) == result::success);
      with.done.record(with.one);
      if (is_right) with.done.hold(with.two);
      CHECK(with.add(with.two.handle) == result::success);
      CHECK(api().cuCtxSynchronize() == (is_right ? result::success : result::launch_failed));
      tg::emulator::run_streams_asynchronously(false);
      CHECK(world::race().empty() == is_right);
    }
  world with;
  tg::emulator::set_launch_options({});
  CHECK(with.put(with.one.handle) == result::success);
  CHECK(with.add(with.two.handle) == result::success);
  CHECK(world::race().empty());
}

TEST_CASE("a plain copy between two devices is ordered with all streams of both") {
  world with;
  const driver_session::second_device second;
  device_address far = 0;
  {
    const driver_session::currently other(second.handle);
    REQUIRE(api().cuMemAlloc(&far, 256) == result::success);
  }
  CHECK(with.put(with.one.handle) == result::success);
  CHECK(api().cuMemcpyDtoD(far, with.w.address, 256) == result::success);
  CHECK(with.add(with.two.handle) == result::success);
  CHECK(world::race().empty());
  const driver_session::currently other(second.handle);
  CHECK(api().cuMemFree(far) == result::success);
}

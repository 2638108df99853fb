#include <tg/runtime/capture_watch.hpp>

#include "hand_written.hpp"

using hand_written::error_of;
using tg::driver::stream_handle;
using tg::runtime::capture_watch;

namespace {

const stream_handle captured = reinterpret_cast<stream_handle>(0x1000), other = reinterpret_cast<stream_handle>(0x2000);

}  // namespace

TEST_CASE("calls that break a capture are refused and others are not: TG533") {
  const auto& api = tg::emulator::driver_table();
  capture_watch watch;
  CHECK_FALSE(watch.is_any());
  watch.begin(captured, true, {"a/b.cpp", 7});
  CHECK(watch.is_any());
  CHECK(error_of([&] {
          watch.require(api, api.cuCtxSynchronize);
        }).says("cuCtxSynchronize() would break the capture of a stream that began at b.cpp:7"));
  CHECK(error_of([&] { watch.require(api, api.cuStreamSynchronize, captured); }).number == 533);
  CHECK(error_of([&] { watch.require(api, api.cuStreamSynchronize, stream_handle{}); }).number == 533);
  CHECK(error_of([&] { watch.require(api, api.cuStreamSynchronize, other); }).number == 0);
  CHECK(error_of([&] { watch.require(api, api.cuMemsetD8, 16, 0, 1); }).number == 533);
  CHECK(error_of([&] { watch.require(api, api.cuMemsetD8Async, 16, 0, 1, nullptr); }).number == 533);
  CHECK(error_of([&] { watch.require(api, api.cuMemsetD8Async, 16, 0, 1, captured); }).number == 0);
  tg::driver::launch_config config{};
  CHECK(error_of([&] { watch.require(api, api.cuLaunchKernelEx, &config, nullptr, nullptr, nullptr); }).number == 533);
  config.stream = captured;
  CHECK(error_of([&] { watch.require(api, api.cuLaunchKernelEx, &config, nullptr, nullptr, nullptr); }).number == 0);
  tg::driver::device_address address = 0;
  CHECK(error_of([&] { watch.require(api, api.cuMemAlloc, &address, std::size_t{1}); }).number == 0);
  watch.end(captured);
  CHECK_FALSE(watch.is_any());
  CHECK(error_of([&] { watch.require(api, api.cuCtxSynchronize); }).number == 0);
}

TEST_CASE("a non-blocking capture minds the legacy stream not") {
  const auto& api = tg::emulator::driver_table();
  capture_watch watch;
  watch.begin(captured, false, {});
  CHECK(error_of([&] { watch.require(api, api.cuMemsetD8, 16, 0, 1); }).number == 0);
  CHECK(error_of([&] { watch.require(api, api.cuCtxSynchronize); }).number == 533);
  watch.begin(other, true, {});
  CHECK(error_of([&] { watch.require(api, api.cuMemsetD8, 16, 0, 1); }).number == 533);
}

TEST_CASE("work is put off until the last capture ends, and the culprit is kept") {
  capture_watch watch;
  int done = 0;
  CHECK_FALSE(watch.put_off([&] { ++done; }));
  watch.begin(captured, true, {"a.cpp", 1});
  watch.begin(other, true, {"b.cpp", 2});
  CHECK(watch.note() == "captured: the stream of a.cpp:1, the stream of b.cpp:2");
  CHECK(watch.put_off([&] { ++done; }));
  watch.blame("first");
  watch.blame("second");
  auto first = watch.end(other);
  CHECK(first.put_off.empty());
  CHECK(first.culprit == "first");
  const auto last = watch.end(captured);
  REQUIRE(last.put_off.size() == 1);
  last.put_off[0]();
  CHECK(done == 1);
  CHECK(watch.end(captured).culprit.empty());
}

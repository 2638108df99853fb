#include <tg/runtime/capture_rule.hpp>

#include <functional>
#include <thread>
#include <utility>

#include <tg/runtime/event.hpp>
#include <tg/runtime/pinned.hpp>
#include <tg/runtime/pool.hpp>
#include <tg/runtime/stream.hpp>

#include "hand_written.hpp"

using hand_written::error_of;
using tg::driver::capture_mode;
using tg::driver::result;
using tg::runtime::capture_rule;

TEST_CASE("each call is ruled by what captures forbid; work of a stream is not") {
  const auto& api = tg::emulator::driver_table();
  CHECK(tg::runtime::rule_of(api, api.cuMemAlloc) == capture_rule::unsafe);
  CHECK(tg::runtime::rule_of(api, api.cuEventQuery) == capture_rule::unsafe);
  CHECK(tg::runtime::rule_of(api, api.cuStreamSynchronize) == capture_rule::unsafe);
  CHECK(tg::runtime::rule_of(api, api.cuMemcpyHtoD) == capture_rule::legacy);
  CHECK(tg::runtime::rule_of(api, api.cuMemcpyHtoDAsync) == capture_rule::none);
  CHECK(tg::runtime::rule_of(api, api.cuLaunchKernel) == capture_rule::none);
  CHECK(tg::runtime::rule_of(api, api.cuLaunchKernelEx) == capture_rule::none);
  CHECK(tg::runtime::rule_of(api, api.cuDeviceGetAttribute) == capture_rule::none);
  std::size_t ruled = 0;
  for (std::size_t k = 0; k < tg::driver::symbols.size() + 2; ++k)
    ruled += tg::runtime::rule_of_member(k) != capture_rule::none;
  CHECK(ruled == 39);
}

TEST_CASE("the thread's mode is what it was when the call is over") {
  const auto& api = tg::emulator::driver_table();
  const tg::device gpu("emulator");
  const auto mode_now = [&] {
    capture_mode out = capture_mode::relaxed;
    api.cuThreadExchangeStreamCaptureMode(&out);
    capture_mode back = out;
    api.cuThreadExchangeStreamCaptureMode(&back);
    return out;
  };
  for (capture_mode mode : {capture_mode::global, capture_mode::thread_local_, capture_mode::relaxed}) {
    const capture_mode wanted = mode;
    api.cuThreadExchangeStreamCaptureMode(&mode);
    {
      const tg::runtime::relaxed_capture none(api, capture_rule::none);
      CHECK(mode_now() == wanted);
      const tg::runtime::relaxed_capture one(api, capture_rule::unsafe);
      CHECK(mode_now() == capture_mode::relaxed);
    }
    CHECK(mode_now() == wanted);
    { const tg::buffer<int> memory(gpu.context(), 4); }
    CHECK(mode_now() == wanted);
    api.cuThreadExchangeStreamCaptureMode(&mode);
  }
}

TEST_CASE("a driver without modes of threads, or one that refuses, is left alone") {
  static capture_mode mode;
  mode = capture_mode::thread_local_;
  tg::driver::table api;
  { const tg::runtime::relaxed_capture none(api, capture_rule::unsafe); }
  api.cuThreadExchangeStreamCaptureMode = [](capture_mode* other) { return std::swap(*other, mode), result::success; };
  {
    const tg::runtime::relaxed_capture relaxed(api, capture_rule::unsafe);
    CHECK(mode == capture_mode::relaxed);
  }
  CHECK(mode == capture_mode::thread_local_);
  static int asked;
  asked = 0;
  api.cuThreadExchangeStreamCaptureMode = [](capture_mode*) { return ++asked, result::not_supported; };
  { const tg::runtime::relaxed_capture refused(api, capture_rule::unsafe); }
  CHECK(asked == 1);
}

TEST_CASE("what tg does on any thread leaves the global capture of another library whole") {
  tg::device gpu("emulator");
  auto& context = *gpu.context();
  const auto& api = context.api();
  auto x = gpu.upload(std::vector<float>(8, 1.0f)), y = gpu.zeros<float>(8);
  tg::event done(gpu);
  auto own = tg::stream(gpu, {.is_non_blocking = true}).begin();
  own.record(done);
  auto going = std::move(own).submit();
  const hand_written::any fresh{.body = hand_written::empty_entry};
  std::vector<float> host(8, 2.0f);
  tg::pool pool(gpu);
  const std::vector<std::pair<const char*, std::function<void()>>> deeds{
      {"allocate and free", [&] { const tg::buffer<float> b(gpu.context(), 8); }},
      {"pinned memory", [&] { const tg::pinned<float> p(gpu, 8); }},
      {"registered memory", [&] { const tg::registered<float> r(gpu, host); }},
      {"query of an event", [&] { CHECK(done.is_done()); }},
      {"wait for an event", [&] { done.synchronize(); }},
      {"query of a stream", [&] { CHECK(going.is_done()); }},
      {"load of a module", [&] { CHECK_FALSE(gpu.compile(fresh).name.empty()); }},
      {"copy to the device", [&] { y.copy_from(host); }},
      {"copy from the device", [&] { CHECK(y.to_host() == host); }},
      {"launch", [&] { gpu.launch(hand_written::saxpy{}, tg::cover(8), x, y, 1.0f, 8); }},
      {"staged copy", [&] { tg::stream_view(gpu, nullptr).copy(y, host); }},
      {"pool", [&] { (void)pool.allocate<float>(1 << 20).to_host(); }},
      {"a second device object", [&] { CHECK(tg::device("emulator").memory_info().total_bytes > 0); }},
  };
  tg::driver::stream_handle theirs = nullptr;
  context.call(api.cuStreamCreate, &theirs, tg::driver::stream_flag::non_blocking);
  for (const bool is_other_thread : {true, false})
    for (const auto& [name, deed] : deeds) {
      const std::string what = name;
      CAPTURE(what);
      CAPTURE(is_other_thread);
      REQUIRE(api.cuStreamBeginCapture(theirs, capture_mode::global) == result::success);
      if (is_other_thread) std::thread(deed).join();
      else deed();
      tg::driver::graph_handle graph = nullptr;
      CHECK(api.cuStreamEndCapture(theirs, &graph) == result::success);
      if (graph) api.cuGraphDestroy(graph);
    }
  api.cuStreamDestroy(theirs);
}

TEST_CASE("a plain copy is refused while another library captures a blocking stream, and the capture goes on: TG533") {
  tg::device gpu("emulator");
  auto& context = *gpu.context();
  auto y = gpu.zeros<float>(8);
  tg::driver::stream_handle theirs = nullptr;
  context.call(context.api().cuStreamCreate, &theirs, tg::driver::stream_flag::default_);
  context.call(context.api().cuStreamBeginCapture, theirs, capture_mode::thread_local_);
  CHECK(error_of([&] { (void)y.to_host(); }).number == 533);
  CHECK(error_of([&] { y.zero(); }).number == 533);
  CHECK(error_of([&] { y.fill(1.0f); }).number == 533);
  tg::driver::graph_handle graph = nullptr;
  CHECK(context.api().cuStreamEndCapture(theirs, &graph) == result::success);
  context.release(context.api().cuGraphDestroy, graph);
  CHECK(y.to_host() == std::vector<float>(8));
  context.release(context.api().cuStreamDestroy, theirs);
}

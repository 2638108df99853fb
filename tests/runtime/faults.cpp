// Every call of the driver fails once, in a program that uses every object.
#include <tg/runtime/capture.hpp>

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

#include <tg/runtime/function.hpp>
#include <tg/runtime/managed.hpp>
#include <tg/runtime/peer.hpp>

#include "fault_table.hpp"
#include "hand_written.hpp"

using hand_written::saxpy;
using tg::driver::result;

namespace {

/// Uses every object; returns what it computed.
std::vector<float> everything(tg::runtime::machine machine, tg::runtime::machine neighbour) {
  tg::device gpu(machine), other(neighbour);
  const std::vector<float> hx(64, 1.0f);
  auto x = gpu.upload(hx);
  auto y = gpu.zeros<float>(64);
  tg::buffer<float> z(gpu.context(), 64);
  z.copy_from(x);
  z.fill(0.5f);
  gpu.launch(saxpy{}, tg::cover(64), x, y, 2.0f, 64);
  gpu.synchronize();

  tg::pinned<float> host(gpu, 64, {.is_portable = true});
  std::fill(host.begin(), host.end(), 3.0f);
  tg::managed<float> both(gpu, 64);
  std::fill(both.begin(), both.end(), 4.0f);
  both.read_mostly();
  std::vector<float> own(64, 5.0f);
  const tg::registered<float> pinned_own(gpu, own);

  tg::event start(gpu), end(gpu);
  static std::atomic<int> called = 0;  // called after the function that failed has ended
  auto work = tg::stream(gpu, {.priority = -1}).begin();
  both.prefetch(work.native());
  work.record(start);
  work.copy(x, host);
  work.copy(y, hx);
  work.copy(z, pinned_own);
  work.fill(z, 7.0f);
  work.zero(z);
  work.launch(saxpy{}, tg::cover(64), x, y, 2.0f, 64);
  work.launch(saxpy{}, tg::cover(64), both, y, 1.0f, 64);
  work.call([&] { ++called; });
  work.record(end);
  auto second = tg::stream(gpu).begin();
  second.wait_for(end);
  auto going = std::move(work).submit();
  second.wait_for(going);
  std::move(second).submit().wait();
  if (!going.is_done()) return {};
  auto idle = std::move(going).wait();
  end.synchronize();
  if (!end.is_done() || milliseconds_between(start, end) < 0) return {};

  auto capturing = std::move(idle).capture();
  capturing.fill(z, 1.0f);
  auto forked = capturing.fork(tg::stream(gpu));
  forked.copy(x, host);
  (void)capturing.join(std::move(forked));
  capturing.launch(saxpy{}, tg::cover(64), x, z, 1.0f, 64);
  auto captured = std::move(capturing).end();

  tg::graph g(gpu);
  const auto a = g.after().copy(x, host);
  const auto b = g.after().fill(y, 10.0f);
  const auto c = g.after(a, b).join();
  const auto d = g.after(c).launch(saxpy{}, tg::cover(64), x, y, 2.0f, 64);
  const auto e = g.after(d).embed(captured.graph);
  g.after(e).call([&] { ++called; });
  auto ready = g.instantiate();
  auto replaying = std::move(captured.stream).begin();
  replaying.replay(ready);
  ready.set_launch(d, saxpy{}, tg::cover(64), x, y, 3.0f, 64);
  ready.set_fill(b, y, 20.0f);
  ready.set_copy(a, x, host);
  replaying.replay(ready);
  ready.update(g);
  std::move(replaying).submit().wait();

  const tg::module loaded(gpu, hand_written::source_of(saxpy{}).ptx);
  tg::function f = loaded.function("saxpy");
  f.allow_shared_bytes(1024);
  if (f.resident_blocks(256) <= 0 || f.best_block_threads() <= 0) return {};
  f.launch(tg::grid(1), {256, 1, 1}, x, y, 1.0f, 64u);

  const tg::peer_access allowed(gpu, other);
  auto far = other.upload(hx);
  other.synchronize();  // devices do not wait for each other
  gpu.launch(saxpy{}, tg::cover(64), far, y, 1.0f, 64);
  far.copy_from(y);
  const auto out = far.to_host();
  if (gpu.memory_info().total_bytes == 0 || gpu.uuid().empty() || gpu.bus_id().empty()) return {};
  if (gpu.attribute(tg::driver::device_attribute::warp_size) != 32) return {};
  gpu.synchronize();
  return out;
}

/// Runs it with the n-th call failing. Returns: the code of the error; 0 when none was thrown.
int with_failure(int n, result failure, tg::runtime::machine machine, tg::runtime::machine neighbour) {
  fault::now() = {};
  auto mode = tg::driver::capture_mode::global;  // a run in which restoring it failed has left another
  tg::emulator::driver_table().cuThreadExchangeStreamCaptureMode(&mode);
  fault::now().fail_at = n;
  fault::now().failure = failure;
  try {
    const auto out = everything(machine, neighbour);
    if (out.size() != 64) return -1;
  } catch (const tg::error& e) { return e.number(); }
  return 0;
}

}  // namespace

TEST_CASE("whichever call of the driver fails, there is one error of the right code, no leak and no double free") {
  tg::emulator::show_devices(2);
  const auto& api = fault::wrapped_table(tg::emulator::driver_table());
  const tg::runtime::machine machine{&api, 0}, neighbour{&api, 1};

  REQUIRE(with_failure(0, result::success, machine, neighbour) == 0);
  CHECK(fault::leftovers() == "");
  const int calls = fault::now().calls;
  CHECK(calls > 100);

  std::set<std::string> survived;
  const std::pair<result, int> failures[] = {
      {result::out_of_memory, 504}, {result::invalid_value, 500}, {result::illegal_address, 508}};
  for (const auto& f : failures) {
    const int code = f.second;
    for (int n = 1; n <= calls; ++n) {
      const int number = with_failure(n, f.first, machine, neighbour);
      CAPTURE(n);
      CAPTURE(code);
      CAPTURE(fault::now().failed);
      if (number == 0) survived.insert(fault::now().failed);
      else if (number != code) CHECK(number == 540);  // host memory that cannot be registered
      CHECK(fault::leftovers() == "");
    }
  }
  for (const auto& name : survived) {
    CAPTURE(name);  // where another way was found, or nothing depended on it
    CHECK((name == "cuThreadExchangeStreamCaptureMode" || name == "cuEventQuery" || name == "cuCtxSetCurrent" ||
           name == "cuCtxGetCurrent" || name == "cuCtxSynchronize" || name == "cuMemAlloc" || name == "cuDeviceGetAttribute" ||
           name == "cuDeviceGetDefaultMemPool" || name == "cuMemPoolTrimTo"));
  }
  CHECK(with_failure(0, result::success, machine, neighbour) == 0);  // the device is usable
  tg::emulator::show_devices(1);
}

TEST_CASE("a driver without one of the functions is refused by that function's name, and nothing is left") {
  tg::emulator::show_devices(2);
  const auto& whole = fault::wrapped_table(tg::emulator::driver_table());
  std::size_t refused = 0;
  tg::driver::table lacking = whole;
  tg::driver::for_each_function(lacking, [&](const tg::driver::symbol& s, auto& pointer) {
    // What such a driver cannot take back stays: see the last test.
    if (std::ranges::any_of(fault::pairs, [&](const auto& p) { return p.back == s.name; })) return;
    const auto kept = std::exchange(pointer, nullptr);
    fault::now() = {};
    const auto wrong = hand_written::error_of([&] { everything({&lacking, 0}, {&lacking, 1}); });
    CAPTURE(std::string(s.name));
    CAPTURE(wrong.text);
    if (wrong.number != 0) {
      ++refused;
      CHECK(wrong.number == 502);
      CHECK(wrong.says(std::string(s.name) + ": this driver does not have it; it came with CUDA "));
    }
    CHECK(fault::leftovers() == "");
    pointer = kept;
  });
  CHECK(refused > 50);
  fault::now() = {};
  tg::emulator::show_devices(1);
}

TEST_CASE("the counting finds a leak and a double free") {
  const auto& api = fault::wrapped_table(tg::emulator::driver_table());
  tg::device gpu(tg::runtime::machine{&api, 0});
  fault::now() = {};
  tg::driver::stream_handle lost = nullptr;
  gpu.context()->call(api.cuStreamCreateWithPriority, &lost, tg::driver::stream_flag::default_, 0);
  CHECK(fault::leftovers() == "1 stream; ");
  gpu.context()->call(api.cuStreamDestroy, lost);
  CHECK(fault::leftovers() == "");
  fault::count("cuStreamDestroy");
  CHECK(fault::leftovers() == "-1 stream; cuStreamDestroy too often; ");
  fault::now() = {};
}

TEST_CASE("a driver that loses a function between two calls is an error and no crash") {
  auto api = hand_written::emulator_table();
  tg::device gpu(tg::runtime::machine{&api});
  auto x = gpu.upload(std::vector<float>(8, 1.0f)), y = gpu.zeros<float>(8);
  auto work = tg::stream(gpu).begin();
  tg::event e(gpu);
  api.cuEventRecord = nullptr;
  api.cuLaunchKernel = nullptr;
  api.cuMemcpyDtoH = nullptr;
  api.cuMemFree = nullptr;
  api.cuStreamDestroy = nullptr;
  CHECK(hand_written::error_of([&] { work.record(e); }).number == 502);
  CHECK(hand_written::error_of([&] { work.launch(saxpy{}, tg::cover(8), x, y, 1.0f, 8); }).number == 502);
  CHECK(hand_written::error_of([&] { (void)y.to_host(); }).says("TG502: cuMemcpyDtoH: this driver does not have it"));
  const auto freed = tg::emulator::driver_table();
  freed.cuStreamDestroy(work.native());
  freed.cuMemFree(x.native());
  freed.cuMemFree(y.native());
}

TEST_CASE("the context of another library stays current, whatever is called, and a thread without one keeps the device's") {
  tg::emulator::show_devices(3);
  static tg::driver::table api;
  api = tg::emulator::driver_table();
  static tg::driver::context_handle theirs;
  static int strangers, switches;
  strangers = switches = 0;
  static const auto real_get = api.cuCtxGetCurrent;
  static const auto real_set = api.cuCtxSetCurrent;
  // Each call of tg asks first: then theirs is current.
  api.cuCtxGetCurrent = [](tg::driver::context_handle* now) {
    const result r = real_get(now);
    strangers += *now != theirs;
    return r;
  };
  api.cuCtxSetCurrent = [](tg::driver::context_handle c) {
    ++switches;
    return real_set(c);
  };
  tg::driver::device_id third = 0;
  REQUIRE(api.cuInit(0) == result::success);
  REQUIRE(api.cuDeviceGet(&third, 2) == result::success);
  REQUIRE(api.cuDevicePrimaryCtxRetain(&theirs, third) == result::success);
  REQUIRE(real_set(theirs) == result::success);
  const tg::runtime::machine machine{&api, 0}, neighbour{&api, 1};
  CHECK(everything(machine, neighbour).size() == 64);
  CHECK(strangers == 0);
  tg::driver::context_handle now = nullptr;
  CHECK(real_get(&now) == result::success);
  CHECK(now == theirs);
  {  // what the emulator knows of a failure is not lost when theirs is made current again
    tg::device gpu(machine);
    const unsigned host = 0;
    const auto copy = hand_written::error_of([&] {
      gpu.context()->call(gpu.context()->api().cuMemcpyHtoD, tg::driver::device_address{4096}, static_cast<const void*>(&host),
                          std::size_t{4});
    });
    CHECK(copy.says("TG442"));
  }

  std::thread([&] {
    tg::device gpu(machine);
    const int before = switches;
    const auto x = gpu.upload(std::vector<float>(64, 1.0f));
    CHECK(x.to_host().size() == 64);
    gpu.synchronize();
    CHECK(switches == before + 1);
    CHECK(real_get(&now) == result::success);
    CHECK(now == gpu.native());
  }).join();
  CHECK(real_set(nullptr) == result::success);
  CHECK(api.cuDevicePrimaryCtxRelease(third) == result::success);
  tg::emulator::show_devices(1);
}

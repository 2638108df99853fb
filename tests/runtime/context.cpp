#include <tg/runtime/context.hpp>

#include <memory>
#include <string>
#include <thread>

#include <tg/runtime/pool.hpp>

#include "child.hpp"
#include "hand_written.hpp"

using hand_written::error_of;
using hand_written::gpu_table;
using tg::driver::result;
using tg::runtime::context;

TEST_CASE("a call works on any thread") {
  auto api = hand_written::emulator_table();
  const auto c = context::open({&api, 0});
  std::thread([&] {
    std::size_t free_bytes = 0, total_bytes = 0;
    c->call(c->api().cuMemGetInfo, &free_bytes, &total_bytes);
    CHECK(total_bytes > 0);
  }).join();
}

TEST_CASE("a sticky error names the launch, and keeps doing so") {
  static result now;
  auto api = gpu_table();
  api.cuCtxSynchronize = [] { return now; };
  api.cuMemFree = [](tg::driver::device_address) { return now; };
  const auto c = context::open({&api, 0});
  now = result::success;
  c->launched("innocent", {"a.cpp", 1});
  c->synchronize();
  c->launched("first", {"dir/b.cpp", 2});
  c->launched("guilty", {"dir/b.cpp", 3});
  now = result::illegal_address;
  const auto first = error_of([&] { c->synchronize(); });
  CHECK(first.number == 508);
  CHECK(first.says("CUDA_ERROR_ILLEGAL_ADDRESS"));
  CHECK(first.says("'guilty', the last of 2 launches"));
  CHECK(first.says("(b.cpp:3)"));
  c->launched("late", {"c.cpp", 4});
  const auto again = error_of([&] { c->call(c->api().cuMemFree, tg::driver::device_address{16}); });
  CHECK(again.number == 508);
  CHECK(again.says("cuMemFree(address = 0x10)"));
  CHECK(again.says("'guilty'"));
  CHECK(again.says("(b.cpp:3)"));
}

TEST_CASE("a sticky error without a launch blames nobody") {
  auto api = gpu_table();
  api.cuCtxSynchronize = [] { return result::launch_failed; };
  const auto c = context::open({&api, 0});
  CHECK(error_of([&] { c->synchronize(); }).says("no kernel was launched here"));
}

TEST_CASE("what the emulator knows more is told") {
  auto api = hand_written::emulator_table();
  const auto c = context::open({&api, 0});
  const unsigned host = 0;
  const auto copy = error_of([&] {
    c->call(c->api().cuMemcpyHtoD, tg::driver::device_address{4096}, static_cast<const void*>(&host), std::size_t{4});
  });
  CHECK(copy.number == 500);
  CHECK(copy.says("CUDA_ERROR_INVALID_VALUE"));
  CHECK(copy.says("TG442"));
}

TEST_CASE("all who use a device share its context while one of them lives") {
  auto api = hand_written::emulator_table();
  std::weak_ptr<context> gone;
  {
    const auto a = context::open({&api, 0});
    CHECK(context::open({&api, 0}) == a);
    CHECK(a->name() == "tg emulator");
    CHECK(a->is_emulated());
    CHECK(a->limits().block_threads == 1024);
    CHECK(a->limits().compute_capability == 90);
    CHECK(a->limits().grid[1] == 65535);
    gone = a;
  }
  CHECK(gone.expired());
}

TEST_CASE("the context of a GPU stays when nobody uses it") {
  static tg::driver::table& api = *new tg::driver::table(gpu_table());  // as long as the context
  const std::weak_ptr<context> first = context::open({&api, 0, true});
  CHECK(!first.expired());
  CHECK(context::open({&api, 0, true}) == first.lock());
}

TEST_CASE("a device that cannot be opened says why") {
  auto api = gpu_table();
  CHECK(error_of([&] { context::open({&api, 3}); }).number == 503);
  api.cuDevicePrimaryCtxRetain = [](tg::driver::context_handle*, int) { return result::out_of_memory; };
  CHECK(error_of([&] { context::open({&api, 0}); }).number == 504);
  api.cuDevicePrimaryCtxRetain = nullptr;
  CHECK(error_of([&] { context::open({&api, 0}); }).number == 502);
}

TEST_CASE("a process that was forked after the driver was started is refused in words, and frees nothing: TG547") {
  static auto api = hand_written::gpu_table();
  static bool is_child;
  static int calls_in_child;
  is_child = false;
  calls_in_child = 0;
  api.cuMemFree = [](tg::driver::device_address a) {
    if (is_child) ++calls_in_child;
    return tg::emulator::driver_table().cuMemFree(a);
  };
  auto gpu = std::make_unique<tg::device>(tg::runtime::machine{&api});
  auto x = std::make_unique<tg::buffer<int>>(gpu->context(), 4);
  const std::string use = in_child([&] {
    is_child = true;
    x = nullptr;
    if (calls_in_child != 0) throw tg::error(tg::code{1}, "the child freed memory of its parent", "");
    (void)gpu->zeros<int>(4);
  });
  CHECK(use.starts_with("TG547: cuMemAlloc in a process that was forked after the driver was started"));
  const std::string open = in_child([&] { tg::device(tg::runtime::machine{&api, 0}).synchronize(); });
  CHECK(open.find("TG547") != open.npos);
  CHECK(in_child([] { tg::device("emulator").synchronize(); }).empty());  // the emulator is the child's own
  x->zero();
}

TEST_CASE("after a reset the device works again, and what was made before throws: TG546") {
  static bool is_broken;
  is_broken = false;
  static auto api = hand_written::gpu_table();
  api.cuCtxSynchronize = [] { return is_broken ? result::illegal_address : tg::emulator::driver_table().cuCtxSynchronize(); };
  api.cuMemAlloc = [](tg::driver::device_address* out, std::size_t bytes) {
    return is_broken ? result::illegal_address : tg::emulator::driver_table().cuMemAlloc(out, bytes);
  };
  api.cuDevicePrimaryCtxReset = [](tg::driver::device_id d) {
    is_broken = false;
    return tg::emulator::driver_table().cuDevicePrimaryCtxReset(d);
  };
  tg::device gpu(tg::runtime::machine{&api, 0, true});
  const tg::device copy = gpu;
  auto x = gpu.upload(std::vector<float>(8, 1.0f)), y = gpu.zeros<float>(8);
  gpu.launch(hand_written::saxpy{}, tg::cover(8), x, y, 1.0f, 8);
  is_broken = true;
  CHECK(error_of([&] { gpu.synchronize(); }).number == 508);
  CHECK(error_of([&] { (void)gpu.zeros<float>(8); }).number == 508);
  gpu.reset();
  const auto stale = error_of([&] { (void)y.to_host(); });
  CHECK(stale.number == 546);
  CHECK(stale.says("cuMemcpyDtoH with an object that was made before 'tg emulator' was reset"));
  CHECK(error_of([&] { gpu.launch(hand_written::saxpy{}, tg::cover(8), x, y, 1.0f, 8); }).number == 524);
  CHECK(error_of([&] { tg::device(copy).reset(); }).number == 546);
  x = {};  // gives nothing back
  auto fresh_x = gpu.upload(std::vector<float>(8, 1.0f)), fresh_y = gpu.zeros<float>(8);
  gpu.launch(hand_written::saxpy{}, tg::cover(8), fresh_x, fresh_y, 3.0f, 8);
  CHECK(fresh_y.to_host()[7] == 3.0f);
  CHECK(tg::device(tg::runtime::machine{&api, 0, true}).context() == gpu.context());
}

TEST_CASE("before memory is out, pools and the pool of other libraries give back what nobody uses") {
  static std::size_t left;
  static int trimmed;
  left = 4;
  trimmed = 0;
  auto api = hand_written::gpu_table();
  api.cuMemAlloc = [](tg::driver::device_address* out, std::size_t bytes) {
    if (left == 0) return result::out_of_memory;
    --left;
    return tg::emulator::driver_table().cuMemAlloc(out, bytes);
  };
  api.cuMemFree = [](tg::driver::device_address a) { return ++left, tg::emulator::driver_table().cuMemFree(a); };
  api.cuMemPoolTrimTo = [](tg::driver::pool_handle p, std::size_t bytes) {
    ++trimmed;
    return tg::emulator::driver_table().cuMemPoolTrimTo(p, bytes);
  };
  tg::device gpu(tg::runtime::machine{&api});
  tg::pool pool(gpu, {.maps_memory = false});
  { const auto used = pool.allocate<float>(100); }
  CHECK(pool.statistics().reserved_bytes > 0);
  const tg::buffer<int> a(gpu.context(), 4), b(gpu.context(), 4), c(gpu.context(), 4);
  CHECK(trimmed == 0);
  CHECK(left == 0);
  const tg::buffer<int> d(gpu.context(), 4);
  CHECK(pool.statistics().reserved_bytes == 0);
  CHECK(trimmed == 1);
  CHECK(error_of([&] { const tg::buffer<int> e(gpu.context(), 4); }).number == 504);
}

#include <tg/runtime/context.hpp>

#include <thread>

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

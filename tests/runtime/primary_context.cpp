#include <tg/runtime/primary_context.hpp>

#include "hand_written.hpp"

using hand_written::error_of;
using hand_written::gpu_table;
using tg::driver::result;
using tg::runtime::context;

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

TEST_CASE("a device that cannot be opened says why") {
  auto api = gpu_table();
  CHECK(error_of([&] { context::open({&api, 3}); }).number == 503);
  api.cuDevicePrimaryCtxRetain = [](tg::driver::context_handle*, int) { return result::out_of_memory; };
  CHECK(error_of([&] { context::open({&api, 0}); }).number == 504);
  api.cuDevicePrimaryCtxRetain = nullptr;
  CHECK(error_of([&] { context::open({&api, 0}); }).number == 502);
}

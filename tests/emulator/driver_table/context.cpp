#include <tg/emulator/driver_table/context.hpp>

#include <string>

#include "session.hpp"

using driver_session::api;
using driver_session::result;
using tg::driver::context_handle;
using tg::driver::device_attribute;

TEST_CASE("the device says what it is") {
  REQUIRE(api().cuInit(0) == result::success);
  int version = 0, count = 0, device = -1;
  CHECK(api().cuDriverGetVersion(&version) == result::success);
  CHECK(version == 13000);
  CHECK(api().cuDeviceGetCount(&count) == result::success);
  CHECK(count == 1);
  CHECK(api().cuDeviceGet(&device, 0) == result::success);
  CHECK(device == 0);
  CHECK(api().cuDeviceGet(&device, 1) == result::invalid_device);
  char name[6];
  CHECK(api().cuDeviceGetName(name, sizeof name, 0) == result::success);
  CHECK(std::string(name) == "tg em");
  std::size_t bytes = 0;
  CHECK(api().cuDeviceTotalMem(&bytes, 0) == result::success);
  CHECK(bytes > 0);
}

TEST_CASE("every attribute of the table has a value") {
  REQUIRE(api().cuInit(0) == result::success);
  const auto value = [](device_attribute a) {
    int out = -1;
    CHECK(api().cuDeviceGetAttribute(&out, a, 0) == result::success);
    return out;
  };
  CHECK(value(device_attribute::warp_size) == 32);
  CHECK(value(device_attribute::max_threads_per_block) == 1024);
  CHECK(value(device_attribute::max_block_dim_z) == 64);
  CHECK(value(device_attribute::max_grid_dim_x) == 0x7fffffff);
  CHECK(value(device_attribute::max_grid_dim_y) == 65535);
  CHECK(value(device_attribute::max_shared_memory_per_block) == 49152);
  CHECK(value(device_attribute::compute_capability_major) == 9);
  CHECK(value(device_attribute::multiprocessor_count) >= 1);
  CHECK(value(device_attribute::cluster_launch) == 1);
  CHECK(value(device_attribute::unified_addressing) == 1);
  CHECK(value(device_attribute::ecc_enabled) == 0);
  int out = 0;
  CHECK(api().cuDeviceGetAttribute(&out, static_cast<device_attribute>(9999), 0) == result::invalid_value);
  CHECK(api().cuDeviceGetAttribute(&out, device_attribute::warp_size, 3) == result::invalid_device);
  CHECK(api().cuDeviceGetAttribute(nullptr, device_attribute::warp_size, 0) == result::invalid_value);
}

TEST_CASE("errors have names and texts") {
  const char* text = nullptr;
  CHECK(api().cuGetErrorName(result::illegal_address, &text) == result::success);
  CHECK(std::string(text) == "CUDA_ERROR_ILLEGAL_ADDRESS");
  CHECK(api().cuGetErrorString(result::illegal_address, &text) == result::success);
  CHECK_FALSE(std::string(text).empty());
  CHECK(api().cuGetErrorName(static_cast<result>(12345), &text) == result::invalid_value);
  CHECK(text == nullptr);
}

TEST_CASE("the primary context is one, counted, and ends with its last user") {
  REQUIRE(api().cuInit(0) == result::success);
  context_handle first = nullptr, second = nullptr;
  REQUIRE(api().cuDevicePrimaryCtxRetain(&first, 0) == result::success);
  REQUIRE(api().cuDevicePrimaryCtxRetain(&second, 0) == result::success);
  CHECK(first == second);
  CHECK(api().cuCtxSetCurrent(first) == result::success);
  context_handle now = nullptr;
  CHECK(api().cuCtxGetCurrent(&now) == result::success);
  CHECK(now == first);
  int device = -1;
  CHECK(api().cuCtxGetDevice(&device) == result::success);
  CHECK(device == 0);
  CHECK(api().cuDevicePrimaryCtxRelease(0) == result::success);
  CHECK(api().cuCtxGetDevice(&device) == result::success);
  CHECK(api().cuCtxDestroy(first) == result::invalid_context);
  CHECK(api().cuDevicePrimaryCtxRelease(0) == result::success);
  CHECK(api().cuCtxGetDevice(&device) == result::context_is_destroyed);
  CHECK(api().cuDevicePrimaryCtxRelease(0) == result::invalid_context);
  CHECK(api().cuCtxSetCurrent(first) == result::invalid_context);
  CHECK(api().cuCtxSetCurrent(nullptr) == result::success);
  CHECK(api().cuCtxGetDevice(&device) == result::invalid_context);
}

TEST_CASE("what a context owns ends with it") {
  REQUIRE(api().cuInit(0) == result::success);
  context_handle context = nullptr;
  REQUIRE(api().cuCtxCreate(&context, 0, 0) == result::success);
  std::size_t before = 0, after = 0, total = 0;
  CHECK(api().cuMemGetInfo(&before, &total) == result::success);
  tg::driver::device_address address = 0;
  CHECK(api().cuMemAlloc(&address, 1000) == result::success);
  tg::driver::stream_handle stream = nullptr;
  CHECK(api().cuStreamCreate(&stream, tg::driver::stream_flag::default_) == result::success);
  CHECK(api().cuStreamBeginCapture(stream, tg::driver::capture_mode::relaxed) == result::success);
  CHECK(api().cuMemGetInfo(&after, &total) == result::success);
  CHECK(after < before);
  CHECK(api().cuCtxDestroy(context) == result::success);

  const driver_session::context c;
  CHECK(api().cuMemGetInfo(&after, &total) == result::success);
  CHECK(after == before);
  CHECK(api().cuMemFree(address) == result::invalid_value);
  CHECK(api().cuStreamDestroy(stream) == result::invalid_handle);
  CHECK(api().cuMemAlloc(&address, 16) == result::success);
  CHECK(api().cuMemFree(address) == result::success);
}

TEST_CASE("contexts are pushed and popped, with limits of their own") {
  using namespace tg::emulator::entry;
  REQUIRE(api().cuInit(0) == result::success);
  context_handle a = nullptr, b = nullptr, top = nullptr;
  CHECK(cuCtxCreate_v4(&a, nullptr, 4, 0) == result::success);
  CHECK(cuCtxCreate_v3(&b, nullptr, 0, 0, 0) == result::success);
  CHECK(cuCtxCreate_v3(&top, nullptr, 1, 0, 0) == result::unsupported_exec_affinity);
  CHECK(api().cuCtxGetCurrent(&top) == result::success);
  CHECK(top == b);
  std::size_t bytes = 0;
  CHECK(cuCtxSetLimit(tg::driver::limit::stack_size, 4096) == result::success);
  CHECK(cuCtxGetLimit(&bytes, tg::driver::limit::stack_size) == result::success);
  CHECK(bytes == 4096);
  CHECK(cuCtxPopCurrent(&top) == result::success);
  CHECK(top == b);
  CHECK(cuCtxGetLimit(&bytes, tg::driver::limit::stack_size) == result::success);
  CHECK(bytes == 1024);
  CHECK(cuCtxGetLimit(&bytes, static_cast<tg::driver::limit>(99)) == result::unsupported_limit);
  unsigned flags = 0, version = 0;
  CHECK(cuCtxGetFlags(&flags) == result::success);
  CHECK(flags == 4);
  CHECK(cuCtxGetApiVersion(nullptr, &version) == result::success);
  CHECK(version == 3020);
  int least = 9, greatest = 9;
  CHECK(cuCtxGetStreamPriorityRange(&least, &greatest) == result::success);
  CHECK(greatest < least);
  unsigned long long first = 0, second = 0;
  CHECK(cuCtxGetId(a, &first) == result::success);
  CHECK(cuCtxGetId(b, &second) == result::success);
  CHECK(first != second);
  CHECK(cuCtxPushCurrent(b) == result::success);
  CHECK(api().cuCtxDestroy(b) == result::success);
  CHECK(cuCtxPushCurrent(b) == result::invalid_context);
  CHECK(api().cuCtxDestroy(a) == result::success);
  CHECK(cuCtxPopCurrent(&top) == result::invalid_context);
}

TEST_CASE("the primary context's flags are there before it is") {
  using namespace tg::emulator::entry;
  unsigned flags = 0;
  int is_active = 1;
  CHECK(cuDevicePrimaryCtxSetFlags(0, 2) == result::success);
  CHECK(cuDevicePrimaryCtxGetState(0, &flags, &is_active) == result::success);
  CHECK(flags == 2);
  CHECK(is_active == 0);
  {
    const driver_session::context c;
    CHECK(cuDevicePrimaryCtxGetState(0, &flags, &is_active) == result::success);
    CHECK(is_active == 1);
  }
  CHECK(cuDevicePrimaryCtxSetFlags(0, 0) == result::success);
}

#include <tg/emulator/driver_table/device.hpp>

#include <cstring>

#include "session.hpp"

using driver_session::api;
using driver_session::result;
using namespace tg::emulator::entry;

TEST_CASE("the device is an sm_90 part with a name, a bus and an identity") {
  REQUIRE(api().cuInit(0) == result::success);
  int major = 0, minor = -1, device = -1;
  CHECK(cuDeviceComputeCapability(&major, &minor, 0) == result::success);
  CHECK(10 * major + minor == 90);
  char id[16];
  CHECK(cuDeviceGetPCIBusId(id, sizeof id, 0) == result::success);
  CHECK(cuDeviceGetPCIBusId(id, 4, 0) == result::invalid_value);
  CHECK(cuDeviceGetByPCIBusId(&device, id) == result::success);
  CHECK(device == 0);
  CHECK(cuDeviceGetByPCIBusId(&device, "0000:01:00.0") == result::invalid_device);
  tg::driver::uuid a{}, b{};
  CHECK(cuDeviceGetUuid(&a, 0) == result::success);
  CHECK(std::memcmp(&a, &b, sizeof a) != 0);
  int can = 1;
  CHECK(cuDeviceCanAccessPeer(&can, 0, 0) == result::success);
  CHECK(can == 0);
  CHECK(cuDeviceCanAccessPeer(&can, 0, 1) == result::invalid_device);
  tg::driver::device_properties p{};
  CHECK(cuDeviceGetProperties(&p, 0) == result::success);
  CHECK(p.warp_size == 32);
  CHECK(p.max_grid[0] == 0x7fffffff);
}

TEST_CASE("every attribute answers, and no number that is none") {
  REQUIRE(api().cuInit(0) == result::success);
  int value = 0;
  for (int a = 1; a <= static_cast<int>(device_attribute::only_partial_host_native_atomic_supported); ++a)
    CHECK(cuDeviceGetAttribute(&value, static_cast<device_attribute>(a), 0) == result::success);
  CHECK(cuDeviceGetAttribute(&value, static_cast<device_attribute>(0), 0) == result::invalid_value);
  CHECK(cuDeviceGetAttribute(&value, static_cast<device_attribute>(148), 0) == result::invalid_value);
}

TEST_CASE("two devices have contexts, pools and peers of their own") {
  REQUIRE(api().cuInit(0) == result::success);
  CHECK(tg::emulator::show_devices(2) == 2);
  int count = 0, can = 0;
  CHECK(api().cuDeviceGetCount(&count) == result::success);
  CHECK(count == 2);
  device_id second = 0;
  CHECK(api().cuDeviceGet(&second, 1) == result::success);
  CHECK(second == 1);
  CHECK(api().cuDeviceGet(&second, 2) == result::invalid_device);
  CHECK(api().cuDeviceCanAccessPeer(&can, 0, 1) == result::success);
  CHECK(can == 1);
  CHECK(cuDeviceGetP2PAttribute(&can, 2, 0, 1) == result::success);
  CHECK(can == 1);
  tg::driver::context_handle a = nullptr, b = nullptr;
  CHECK(api().cuDevicePrimaryCtxRetain(&a, 0) == result::success);
  CHECK(api().cuDevicePrimaryCtxRetain(&b, 1) == result::success);
  CHECK(a != b);
  CHECK(tg::emulator::show_devices(1) == 2);  // the second is in use
  tg::driver::pool_handle pool_a = nullptr, pool_b = nullptr;
  CHECK(api().cuDeviceGetDefaultMemPool(&pool_a, 0) == result::success);
  CHECK(api().cuDeviceGetDefaultMemPool(&pool_b, 1) == result::success);
  CHECK(pool_a != pool_b);
  CHECK(api().cuMemPoolDestroy(pool_b) == result::invalid_value);
  CHECK(api().cuCtxSetCurrent(b) == result::success);
  device_id now = 0;
  CHECK(api().cuCtxGetDevice(&now) == result::success);
  CHECK(now == 1);
  tg::driver::device_address memory = 0;
  CHECK(api().cuMemAlloc(&memory, 64) == result::success);
  int ordinal = 0;
  CHECK(api().cuPointerGetAttribute(&ordinal, tg::driver::pointer_attribute::device_ordinal, memory) == result::success);
  CHECK(ordinal == 1);
  CHECK(api().cuCtxEnablePeerAccess(b, 0) == result::peer_access_unsupported);
  CHECK(api().cuCtxEnablePeerAccess(a, 1) == result::invalid_value);
  CHECK(api().cuCtxEnablePeerAccess(a, 0) == result::success);
  CHECK(api().cuCtxEnablePeerAccess(a, 0) == result::peer_access_already_enabled);
  CHECK(api().cuCtxDisablePeerAccess(a) == result::success);
  CHECK(api().cuCtxDisablePeerAccess(a) == result::peer_access_not_enabled);
  CHECK(api().cuMemcpyPeer(memory, b, memory, reinterpret_cast<tg::driver::context_handle>(16), 4) == result::invalid_context);
  CHECK(api().cuMemFree(memory) == result::success);
  CHECK(api().cuDevicePrimaryCtxRelease(1) == result::success);
  CHECK(api().cuCtxSetCurrent(a) == result::success);
  CHECK(api().cuDevicePrimaryCtxRelease(0) == result::success);
  CHECK(tg::emulator::show_devices(1) == 1);
}

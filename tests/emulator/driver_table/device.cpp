#include <tg/emulator/driver_table/device.hpp>

#include <cstring>

#include "session.hpp"

using session::api;
using session::result;
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

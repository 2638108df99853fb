#include <tg/emulator/driver_table/pool.hpp>

#include "session.hpp"

using driver_session::api;
using driver_session::result;
using namespace tg::emulator::entry;

namespace {

std::uint64_t used(pool_handle p) {
  std::uint64_t out = 77;
  CHECK(cuMemPoolGetAttribute(p, pool_attribute::used_mem_current, &out) == result::success);
  return out;
}

}  // namespace

TEST_CASE("pools count what they gave and got back") {
  const driver_session::context c;
  pool_handle by_default = nullptr, own = nullptr;
  CHECK(cuDeviceGetDefaultMemPool(&by_default, 0) == result::success);
  tg::driver::pool_properties p{};
  p.allocation_type = 1;
  p.location = {1, 0};
  CHECK(cuMemPoolCreate(&own, &p) == result::success);
  device_address a = 0, b = 0;
  const std::uint64_t before = used(by_default);
  CHECK(api().cuMemAllocAsync(&a, 100, nullptr) == result::success);
  CHECK(cuMemAllocFromPoolAsync(&b, 50, own, nullptr) == result::success);
  CHECK(used(by_default) == before + 100);
  CHECK(used(own) == 50);
  CHECK(cuDeviceSetMemPool(0, own) == result::success);
  CHECK(api().cuMemFreeAsync(a, nullptr) == result::success);
  CHECK(api().cuMemAllocAsync(&a, 8, nullptr) == result::success);
  CHECK(used(own) == 58);
  CHECK(api().cuMemFreeAsync(a, nullptr) == result::success);
  CHECK(api().cuMemFree(b) == result::success);
  std::uint64_t high = 0, threshold = 1 << 20;
  CHECK(cuMemPoolGetAttribute(own, pool_attribute::used_mem_high, &high) == result::success);
  CHECK(high == 58);
  CHECK(cuMemPoolSetAttribute(own, pool_attribute::release_threshold, &threshold) == result::success);
  CHECK(cuMemPoolSetAttribute(own, pool_attribute::used_mem_current, &threshold) == result::invalid_value);
  CHECK(cuMemPoolTrimTo(own, 0) == result::success);
  CHECK(cuMemPoolDestroy(own) == result::success);
  CHECK(cuMemPoolDestroy(own) == result::invalid_handle);
  CHECK(cuMemPoolDestroy(by_default) == result::invalid_value);
  pool_handle now = nullptr;
  CHECK(cuDeviceGetMemPool(&now, 0) == result::success);
  CHECK(now == by_default);
}

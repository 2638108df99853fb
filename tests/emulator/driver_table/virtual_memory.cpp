#include <tg/emulator/driver_table/virtual_memory.hpp>

#include <tg/emulator/driver_table/copy.hpp>

#include "session.hpp"

using driver_session::api;
using driver_session::result;
using namespace tg::emulator::entry;

TEST_CASE("two mappings of one physical memory show the same bytes, and a copy crosses neighbours") {
  const driver_session::context c;
  tg::driver::allocation_properties p{};
  p.type = 1;
  p.location = {1, 0};
  std::size_t unit = 0;
  REQUIRE(cuMemGetAllocationGranularity(&unit, &p, 0) == result::success);
  device_address at = 0;
  physical_handle a = 0, b = 0;
  CHECK(cuMemAddressReserve(&at, unit + 1, 0, 0, 0) == result::invalid_value);
  REQUIRE(cuMemAddressReserve(&at, 3 * unit, 0, 0, 0) == result::success);
  REQUIRE(cuMemCreate(&a, unit, &p, 0) == result::success);
  REQUIRE(cuMemCreate(&b, unit, &p, 0) == result::success);
  CHECK(cuMemMap(at, unit, 0, a, 0) == result::success);
  CHECK(cuMemMap(at, unit, 0, b, 0) == result::invalid_value);
  CHECK(cuMemMap(at + unit, unit, 0, b, 0) == result::success);
  CHECK(cuMemMap(at + 2 * unit, unit, 0, a, 0) == result::success);
  CHECK(cuMemMap(at + 3 * unit, unit, 0, a, 0) == result::invalid_value);
  unsigned word = 3;
  CHECK(cuMemcpyHtoD(at, &word, 4) == result::invalid_value);  // no access yet
  const tg::driver::memory_access_description access{{1, 0}, 3};
  CHECK(cuMemSetAccess(at, 3 * unit, &access, 1) == result::success);
  CHECK(cuMemcpyHtoD(at, &word, 4) == result::success);
  CHECK(cuMemcpyDtoH(&word, at + 2 * unit, 4) == result::success);
  CHECK(word == 3);
  CHECK(cuMemsetD8(at + unit - 8, 0xff, 16) == result::success);  // across two of them
  CHECK(cuMemcpyDtoH(&word, at + 3 * unit - 8, 4) == result::success);
  CHECK(word == 0xffffffff);
  unsigned long long flags = 0;
  const tg::driver::memory_location here{1, 0};
  CHECK(cuMemGetAccess(&flags, &here, at + 5) == result::success);
  CHECK(flags == 3);

  CHECK(cuMemAddressFree(at, 3 * unit) == result::invalid_value);
  CHECK(cuMemUnmap(at + unit, unit) == result::success);
  CHECK(cuMemcpyHtoD(at + unit, &word, 4) == result::invalid_value);
  CHECK(cuMemcpyHtoD(at + 2 * unit, &word, 4) == result::success);
  CHECK(cuMemUnmap(at, unit) == result::success);
  CHECK(cuMemUnmap(at + 2 * unit, unit) == result::success);
  CHECK(cuMemRelease(a) == result::success);
  CHECK(cuMemRelease(a) == result::invalid_handle);
  CHECK(cuMemRelease(b) == result::success);
  CHECK(cuMemAddressFree(at, 3 * unit) == result::success);
}

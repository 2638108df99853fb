#include <tg/emulator/driver_table/memory.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "session.hpp"

using driver_session::api;
using driver_session::result;
using tg::driver::device_address;

TEST_CASE("what is copied in comes back, whole and in parts") {
  const driver_session::context c;
  const driver_session::words w(8);
  const std::vector<unsigned> in{1, 2, 3, 4, 5, 6, 7, 8};
  CHECK(api().cuMemcpyHtoD(w.address, in.data(), 32) == result::success);
  CHECK(w.read() == in);
  CHECK(api().cuMemcpyDtoD(w.address + 4, w.address, 16) == result::success);
  CHECK(w.read() == std::vector<unsigned>{1, 1, 2, 3, 4, 6, 7, 8});
  CHECK(api().cuMemsetD8(w.address + 28, 0xab, 4) == result::success);
  CHECK(api().cuMemsetD32(w.address, 9, 2) == result::success);
  CHECK(w.read() == std::vector<unsigned>{9, 9, 2, 3, 4, 6, 7, 0xabababab});
}

TEST_CASE("copies on a stream do the same") {
  const driver_session::context c;
  const driver_session::words w(4);
  const std::vector<unsigned> in{1, 2, 3, 4};
  std::vector<unsigned> out(4);
  CHECK(api().cuMemcpyHtoDAsync(w.address, in.data(), 16, nullptr) == result::success);
  CHECK(api().cuMemcpyDtoDAsync(w.address, w.address + 8, 8, nullptr) == result::success);
  CHECK(api().cuMemsetD32Async(w.address + 4, 7, 1, nullptr) == result::success);
  CHECK(api().cuMemsetD8Async(w.address + 8, 0, 4, nullptr) == result::success);
  CHECK(api().cuMemcpyDtoHAsync(out.data(), w.address, 16, nullptr) == result::success);
  CHECK(out == std::vector<unsigned>{3, 7, 0, 4});
}

TEST_CASE("a copy past the end is refused and explained") {
  const driver_session::context c;
  const driver_session::words w(8);
  std::vector<unsigned> host(16, 5);
  CHECK(api().cuMemcpyHtoD(w.address, host.data(), 36) == result::invalid_value);
  REQUIRE(tg::emulator::last_report());
  CHECK(tg::emulator::last_report()->number() == 442);
  CHECK(api().cuMemcpyDtoH(host.data(), w.address + 4, 32) == result::invalid_value);
  CHECK(api().cuMemcpyDtoH(host.data(), 0, 4) == result::invalid_value);
  CHECK(api().cuMemsetD32(w.address, 1, SIZE_MAX / 2) == result::invalid_value);
  CHECK(api().cuMemsetD32(w.address + 2, 1, 1) == result::invalid_value);
  CHECK(api().cuMemcpyHtoD(w.address, nullptr, 4) == result::invalid_value);
  CHECK(w.read() == std::vector<unsigned>(8, 0));
  CHECK(api().cuMemcpyHtoD(w.address, host.data(), 0) == result::success);
}

TEST_CASE("memory is counted, freed once, and runs out") {
  const driver_session::context c;
  std::size_t before = 0, after = 0, total = 0;
  CHECK(api().cuMemGetInfo(&before, &total) == result::success);
  device_address a = 0, b = 0;
  CHECK(api().cuMemAlloc(&a, 4096) == result::success);
  CHECK(a % 256 == 0);
  CHECK(api().cuMemAllocAsync(&b, 100, nullptr) == result::success);
  device_address base = 0;
  std::size_t bytes = 0;
  CHECK(api().cuMemGetAddressRange(&base, &bytes, a + 77) == result::success);
  CHECK(base == a);
  CHECK(bytes == 4096);
  CHECK(api().cuMemGetAddressRange(&base, &bytes, 64) == result::not_found);
  CHECK(api().cuMemFree(a + 4) == result::invalid_value);
  CHECK(api().cuMemFree(a) == result::success);
  CHECK(api().cuMemFree(a) == result::invalid_value);
  CHECK(api().cuMemFree(0) == result::success);
  CHECK(api().cuMemFreeAsync(b, nullptr) == result::success);
  CHECK(api().cuMemGetInfo(&after, &total) == result::success);
  CHECK(after == before);
  CHECK(api().cuMemAlloc(&a, total + 1) == result::out_of_memory);
  CHECK(api().cuMemAlloc(&a, SIZE_MAX) == result::out_of_memory);
  CHECK(api().cuMemAlloc(&a, 0) == result::invalid_value);
  CHECK(api().cuMemAlloc(nullptr, 4) == result::invalid_value);
}

TEST_CASE("pinned memory is host memory, freed once") {
  const driver_session::context c;
  void* memory = nullptr;
  CHECK(api().cuMemHostAlloc(&memory, 64, tg::driver::portable) == result::success);
  static_cast<char*>(memory)[63] = 1;
  CHECK(api().cuMemFreeHost(memory) == result::success);
  CHECK(api().cuMemFreeHost(memory) == result::invalid_value);
  CHECK(api().cuMemHostAlloc(&memory, 64, 8) == result::invalid_value);
}

TEST_CASE("no call works without a context") {
  REQUIRE(api().cuInit(0) == result::success);
  CHECK(api().cuCtxSetCurrent(nullptr) == result::success);
  device_address a = 0;
  std::size_t n = 0;
  CHECK(api().cuMemAlloc(&a, 4) == result::invalid_context);
  CHECK(api().cuMemGetInfo(&n, &n) == result::invalid_context);
  CHECK(api().cuMemcpyHtoD(4096, &n, 8) == result::invalid_context);
  CHECK(api().cuMemcpyHtoDAsync(4096, &n, 8, nullptr) == result::invalid_context);
}

#include <tg/emulator/driver_table/pointer.hpp>

#include "session.hpp"

using driver_session::api;
using driver_session::result;
using namespace tg::emulator::entry;

namespace {

template <class T> T about(device_address address, pointer_attribute what) {
  T out{};
  CHECK(cuPointerGetAttribute(&out, what, address) == result::success);
  return out;
}

}  // namespace

TEST_CASE("one pointer is good on both sides for pinned, managed and registered memory") {
  const driver_session::context c;
  const driver_session::module m;
  void* pinned = nullptr;
  device_address managed = 0, mapped = 0;
  CHECK(api().cuMemHostAlloc(&pinned, 400, 0) == result::success);
  CHECK(cuMemAllocManaged(&managed, 400, 1) == result::success);
  static unsigned own[100];
  CHECK(cuMemHostRegister(own, sizeof own, 0) == result::success);
  CHECK(cuMemHostRegister(own, sizeof own, 0) == result::host_memory_already_registered);
  CHECK(cuMemHostGetDevicePointer(&mapped, own, 0) == result::success);
  CHECK(mapped == reinterpret_cast<device_address>(own));
  for (const device_address at : {reinterpret_cast<device_address>(pinned), managed, mapped}) {
    unsigned value = 9, n = 100;
    void* parameters[] = {const_cast<device_address*>(&at), &value, &n};
    CHECK(api().cuLaunchKernel(m.find("put"), 2, 1, 1, 64, 1, 1, 0, nullptr, parameters, nullptr) == result::success);
    CHECK(reinterpret_cast<unsigned*>(at)[99] == 9);
  }
  CHECK(about<memory_type>(managed, pointer_attribute::memory_type) == memory_type::device);
  CHECK(about<memory_type>(mapped, pointer_attribute::memory_type) == memory_type::host);
  CHECK(about<int>(managed + 4, pointer_attribute::is_managed) == 1);
  CHECK(about<int>(mapped, pointer_attribute::is_managed) == 0);
  CHECK(about<device_address>(managed + 4, pointer_attribute::range_start_addr) == managed);
  CHECK(about<std::size_t>(managed + 4, pointer_attribute::range_size) == 400);
  CHECK(cuMemAdvise(managed, 400, 1, 0) == result::success);
  CHECK(cuMemAdvise(managed, 401, 1, 0) == result::invalid_value);
  CHECK(cuMemAdvise(managed, 400, 7, 0) == result::invalid_value);
  CHECK(cuMemPrefetchAsync(managed, 100, 0, nullptr) == result::success);
  int mostly = 7;
  CHECK(cuMemRangeGetAttribute(&mostly, 4, range_attribute::read_mostly, managed, 4) == result::success);
  CHECK(mostly == 0);
  CHECK(cuMemHostUnregister(own) == result::success);
  CHECK(cuMemHostUnregister(own) == result::host_memory_not_registered);
  CHECK(api().cuMemFree(managed) == result::success);
  CHECK(api().cuMemFreeHost(pinned) == result::success);
}

TEST_CASE("plain device memory is no host memory, and unknown pointers have no facts") {
  const driver_session::context c;
  const driver_session::words w(4);
  std::uint64_t out = 5;
  CHECK(cuPointerGetAttribute(&out, pointer_attribute::host_pointer, w.address) == result::invalid_value);
  CHECK(cuPointerGetAttribute(&out, pointer_attribute::memory_type, 64) == result::invalid_value);
  CHECK(cuMemPrefetchAsync(w.address, 4, 0, nullptr) == result::invalid_value);
  int local = 0;
  device_address mapped = 0;
  CHECK(cuMemHostGetDevicePointer(&mapped, &local, 0) == result::invalid_value);
  unsigned type = 9;
  const pointer_attribute keys[] = {pointer_attribute::memory_type, pointer_attribute::range_size};
  void* values[] = {&type, &out};
  CHECK(cuPointerGetAttributes(2, keys, values, 64) == result::success);
  CHECK(type == 0);
  CHECK(out == 0);
  CHECK(cuPointerGetAttributes(2, keys, values, w.address) == result::success);
  CHECK(type == 2);
  CHECK(out == 16);
}

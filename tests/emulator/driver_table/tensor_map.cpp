#include <tg/emulator/driver_table/tensor_map.hpp>

#include <doctest/doctest.h>

using namespace tg::emulator::entry;
namespace emulator = tg::emulator;

TEST_CASE("a tensor map is what the emulator's copies read, and takes another address") {
  tg::driver::tensor_map map{};
  void* const address = reinterpret_cast<void*>(std::uintptr_t{0x7000});
  const std::uint64_t extents[] = {64, 32}, strides[] = {256};
  const std::uint32_t box[] = {16, 8}, steps[] = {1, 1};
  REQUIRE(cuTensorMapEncodeTiled(&map, 7, 2, address, extents, strides, box, steps, 0, 2, 0, 0) == result::success);
  emulator::tensor_map seen;
  std::memcpy(seen.bytes.data(), &map, sizeof seen);
  auto t = emulator::unpack(seen);
  REQUIRE(t);
  CHECK(t->type == emulator::tensor_type::f32);
  CHECK(t->address == 0x7000);
  CHECK(t->extents[1] == 32);
  CHECK(t->strides[0] == 256);
  CHECK(t->box[0] == 16);
  CHECK(t->swizzle == emulator::tensor_swizzle::bytes_64);
  CHECK(cuTensorMapReplaceAddress(&map, reinterpret_cast<void*>(std::uintptr_t{0x8000})) == result::success);
  CHECK(cuTensorMapReplaceAddress(&map, reinterpret_cast<void*>(std::uintptr_t{0x8008})) == result::invalid_value);
  std::memcpy(seen.bytes.data(), &map, sizeof seen);
  CHECK(emulator::unpack(seen)->address == 0x8000);
}

TEST_CASE("a tensor map that the driver would refuse is refused") {
  tg::driver::tensor_map map{};
  const std::uint64_t extents[] = {64, 32}, strides[] = {250};
  const std::uint32_t box[] = {16, 8}, steps[] = {1, 1};
  CHECK(cuTensorMapEncodeTiled(&map, 7, 2, nullptr, extents, strides, box, steps, 0, 0, 0, 0) == result::invalid_value);
  CHECK(cuTensorMapEncodeTiled(&map, 7, 6, nullptr, extents, strides, box, steps, 0, 0, 0, 0) == result::invalid_value);
  CHECK(cuTensorMapEncodeTiled(&map, 99, 1, nullptr, extents, strides, box, steps, 0, 0, 0, 0) == result::invalid_value);
  CHECK(cuTensorMapReplaceAddress(&map, nullptr) == result::invalid_value);
}

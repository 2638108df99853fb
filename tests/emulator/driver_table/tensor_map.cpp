#include <tg/emulator/driver_table/tensor_map.hpp>

#include <doctest/doctest.h>

#include "session.hpp"

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
  auto t = emulator::unpack<emulator::tiled_tensor>(seen);
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
  CHECK(emulator::unpack<emulator::tiled_tensor>(seen)->address == 0x8000);
}

TEST_CASE("a tensor map that the driver would refuse is refused") {
  tg::driver::tensor_map map{};
  const std::uint64_t extents[] = {64, 32}, strides[] = {250};
  const std::uint32_t box[] = {16, 8}, steps[] = {1, 1};
  CHECK(cuTensorMapEncodeTiled(&map, 7, 2, nullptr, extents, strides, box, steps, 0, 0, 0, 0) == result::invalid_value);
  CHECK(cuTensorMapEncodeTiled(&map, 7, 6, nullptr, extents, strides, box, steps, 0, 0, 0, 0) == result::invalid_value);
  CHECK(cuTensorMapEncodeTiled(&map, 99, 1, nullptr, extents, strides, box, steps, 0, 0, 0, 0) == result::invalid_value);
  CHECK(cuTensorMapEncodeTiled(&map, 7, 1, nullptr, extents, strides, box, steps, 0, 0, 4, 0) == result::invalid_value);
  CHECK(cuTensorMapReplaceAddress(&map, nullptr) == result::invalid_value);
}

namespace {

/// Arguments of cuTensorMapEncodeIm2col: 2 images of 4 rows of 6 pixels of 8 floats, one pixel of padding around them.
struct images {
  int type = 7;
  std::uint32_t rank = 4;
  void* address = nullptr;
  std::uint64_t extents[5] = {8, 6, 4, 2, 1}, strides[4] = {32, 192, 768, 0};
  const std::uint64_t *extents_at = extents, *strides_at = strides;
  int lower[3] = {-1, -1, 0}, upper[3] = {-1, 0, 0};
  const int *lower_at = lower, *upper_at = upper;
  std::uint32_t channels = 8, pixels = 12, steps[5] = {1, 1, 2, 1, 1};
  const std::uint32_t* steps_at = steps;
  int interleave = 0, swizzle = 0, promotion = 0, fill = 0;

  result encode(tg::driver::tensor_map* to) const {
    return cuTensorMapEncodeIm2col(to, type, rank, address, extents_at, strides_at, lower_at, upper_at, channels, pixels,
                                   steps_at, interleave, swizzle, promotion, fill);
  }
};

}  // namespace

TEST_CASE("every bad argument of an im2col map is an invalid value, and leaves the map alone") {
  const auto refused = [](auto change) {
    images given;
    change(given);
    tg::driver::tensor_map map{{7, 7}};
    const bool is_refused = given.encode(&map) == result::invalid_value;
    return is_refused && map.words[0] == 7 && map.words[1] == 7;
  };
  CHECK_FALSE(refused([](images&) {}));
  CHECK(images().encode(nullptr) == result::invalid_value);
  CHECK(refused([](images& a) { a.type = -1; }));
  CHECK(refused([](images& a) { a.type = 13; }));
  CHECK(refused([](images& a) { a.rank = 2; }));
  CHECK(refused([](images& a) { a.rank = 6; }));
  CHECK(refused([](images& a) { a.address = reinterpret_cast<void*>(std::uintptr_t{8}); }));
  CHECK(refused([](images& a) { a.extents_at = nullptr; }));
  CHECK(refused([](images& a) { a.extents[3] = 0; }));
  CHECK(refused([](images& a) { a.strides_at = nullptr; }));
  CHECK(refused([](images& a) { a.strides[2] = 776; }));
  CHECK(refused([](images& a) { a.lower_at = nullptr; }));
  CHECK(refused([](images& a) { a.upper_at = nullptr; }));
  CHECK(refused([](images& a) { a.lower[0] = -129; }));
  CHECK(refused([](images& a) { a.upper[1] = 128; }));
  CHECK(refused([](images& a) { a.upper[0] = -7; }));
  CHECK(refused([](images& a) { a.channels = 0; }));
  CHECK(refused([](images& a) { a.channels = 6; }));
  CHECK(refused([](images& a) { a.channels = 260; }));
  CHECK(refused([](images& a) { a.pixels = 0; }));
  CHECK(refused([](images& a) { a.pixels = 1025; }));
  CHECK(refused([](images& a) { a.steps_at = nullptr; }));
  CHECK(refused([](images& a) { a.steps[1] = 0; }));
  CHECK(refused([](images& a) { a.steps[2] = 9; }));
  CHECK(refused([](images& a) { a.interleave = 3; }));
  CHECK(refused([](images& a) { a.interleave = 2; }));
  CHECK(refused([](images& a) { a.swizzle = 4; }));
  CHECK(refused([](images& a) { a.swizzle = 1, a.channels = 16; }));
  CHECK(refused([](images& a) { a.promotion = 4; }));
  CHECK(refused([](images& a) { a.fill = 2; }));
  CHECK(refused([](images& a) { a.type = 2, a.fill = 1; }));
}

TEST_CASE("a kernel takes a column of pixels through an im2col map from the driver") {
  driver_session::context current;
  const driver_session::words image(8 * 6 * 4 * 2), out(12 * 8);
  std::vector<unsigned> values(image.count);
  for (unsigned k = 0; k < values.size(); ++k) values[k] = k + 1;
  REQUIRE(driver_session::api().cuMemcpyHtoD(image.address, values.data(), 4 * values.size()) == result::success);
  images given;
  given.address = reinterpret_cast<void*>(image.address);
  tg::driver::tensor_map map{};
  REQUIRE(given.encode(&map) == result::success);

  tg::driver::module_handle module = nullptr;
  const char* const text = R"(
.version 8.0
.target sm_90
.address_size 64

.visible .entry column(.param .align 64 .b8 map[128], .param .u64 out)
{
  .reg .pred %p<2>;
  .reg .b16 %h<2>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<5>;
  .shared .align 128 .b8 tile[384];
  .shared .align 8 .b64 arrived;
  mov.b64 %rd0, map;
  cvta.param.u64 %rd1, %rd0;
  ld.param.u64 %rd2, [out];
  mov.u32 %r0, %tid.x;
  setp.ne.u32 %p0, %r0, 0;
  @%p0 bra ready;
  mbarrier.init.shared.b64 [arrived], 1;
  fence.proxy.async;
ready:
  bar.sync 0;
  @%p0 bra wait;
  mbarrier.arrive.expect_tx.shared.b64 _, [arrived], 384;
  mov.u32 %r1, -1;
  mov.b16 %h0, 2;
  mov.b16 %h1, 1;
  cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes
      [tile], [%rd1, {0, 3, %r1, 0}], [arrived], {%h0, %h1};
wait:
  mbarrier.try_wait.parity.shared.b64 %p1, [arrived], 0;
  @!%p1 bra wait;
  shl.b32 %r2, %r0, 2;
  mov.u32 %r3, tile;
  add.u32 %r3, %r3, %r2;
  ld.shared.u32 %r4, [%r3];
  cvt.u64.u32 %rd3, %r2;
  add.u64 %rd4, %rd2, %rd3;
  st.global.u32 [%rd4], %r4;
  ret;
}
)";
  REQUIRE(driver_session::api().cuModuleLoadDataEx(&module, text, 0, nullptr, nullptr) == result::success);
  tg::driver::function_handle kernel = nullptr;
  REQUIRE(driver_session::api().cuModuleGetFunction(&kernel, module, "column") == result::success);
  tg::driver::device_address to = out.address;
  void* parameters[] = {&map, &to};
  REQUIRE(driver_session::api().cuLaunchKernel(kernel, 1, 1, 1, 96, 1, 1, 0, nullptr, parameters, nullptr) == result::success);
  REQUIRE(driver_session::api().cuCtxSynchronize() == result::success);

  // W goes from -1 to 4 and H from -1 to 3 in steps of 2; the column begins at (3, -1) and is moved by (2, 1).
  const int pixels[12][3] = {{5, 0, 0}, {6, 0, 0}, {1, 2, 0}, {2, 2, 0}, {3, 2, 0}, {4, 2, 0},
                             {5, 2, 0}, {6, 2, 0}, {1, 4, 0}, {2, 4, 0}, {3, 4, 0}, {4, 4, 0}};
  const std::vector<unsigned> got = out.read();
  for (int k = 0; k < 96; ++k) {
    const auto& [w, h, n] = pixels[k / 8];
    const unsigned want = w < 6 && h < 4 ? static_cast<unsigned>(((n * 4 + h) * 6 + w) * 8 + k % 8 + 1) : 0;
    CHECK_EQ(got[static_cast<std::size_t>(k)], want);
  }
  CHECK(driver_session::api().cuModuleUnload(module) == result::success);
}

#include <tg/emulator/async/tensor_map.hpp>

#include <doctest/doctest.h>

using namespace tg::emulator;

namespace {

tiled_tensor matrix() {
  tiled_tensor t;
  t.type = tensor_type::f16;
  t.rank = 2;
  t.address = 4096;
  t.extents = {100, 50, 1, 1, 1};
  t.strides = {208, 0, 0, 0};
  t.box = {64, 8, 1, 1, 1};
  t.swizzle = tensor_swizzle::bytes_128;
  return t;
}

}  // namespace

TEST_CASE("a tensor map keeps what it was made from") {
  tensor_map map;
  REQUIRE(encode_tiled(map, matrix()).empty());
  const auto got = unpack(map);
  REQUIRE(got);
  CHECK(got->rank == 2);
  CHECK(got->extents == matrix().extents);
  CHECK(got->strides == matrix().strides);
  CHECK(got->box == matrix().box);
  CHECK(got->swizzle == tensor_swizzle::bytes_128);
  CHECK(replace_address(map, 8192));
  CHECK(unpack(map)->address == 8192);
  CHECK_FALSE(replace_address(map, 8200));
  CHECK_FALSE(unpack(tensor_map{}));
}

TEST_CASE("every rule of a tensor map is checked") {
  const auto broken = [](auto change) {
    tiled_tensor t = matrix();
    change(t);
    tensor_map map;
    return !encode_tiled(map, t).empty();
  };
  CHECK_FALSE(broken([](tiled_tensor&) {}));
  CHECK(broken([](tiled_tensor& t) { t.rank = 0; }));
  CHECK(broken([](tiled_tensor& t) { t.rank = 6; }));
  CHECK(broken([](tiled_tensor& t) { t.address = 4104; }));
  CHECK(broken([](tiled_tensor& t) { t.extents[1] = 0; }));
  CHECK(broken([](tiled_tensor& t) { t.extents[0] = (std::uint64_t{1} << 32) + 1; }));
  CHECK(broken([](tiled_tensor& t) { t.strides[0] = 200; }));
  CHECK(broken([](tiled_tensor& t) { t.strides[0] = std::uint64_t{1} << 40; }));
  CHECK(broken([](tiled_tensor& t) { t.box[1] = 257; }));
  CHECK(broken([](tiled_tensor& t) { t.box[0] = 0; }));
  CHECK(broken([](tiled_tensor& t) { t.box[0] = 60; }));
  CHECK(broken([](tiled_tensor& t) { t.box[0] = 72; }));
  CHECK_FALSE(broken([](tiled_tensor& t) { t.box[0] = 72, t.swizzle = tensor_swizzle::none; }));
  CHECK(broken([](tiled_tensor& t) { t.steps[1] = 9; }));
  CHECK(broken([](tiled_tensor& t) { t.interleave = tensor_interleave::bytes_16; }));
  CHECK(broken([](tiled_tensor& t) { t.type = tensor_type::u16, t.fill = tensor_fill::nan; }));
  CHECK_FALSE(broken([](tiled_tensor& t) { t.fill = tensor_fill::nan; }));
  CHECK(broken([](tiled_tensor& t) { t.swizzle = static_cast<tensor_swizzle>(9); }));
  CHECK(broken([](tiled_tensor& t) { t.type = static_cast<tensor_type>(13); }));
}

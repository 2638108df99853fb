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
  REQUIRE(encode(map, matrix()).empty());
  const auto got = unpack<tiled_tensor>(map);
  REQUIRE(got);
  CHECK(got->rank == 2);
  CHECK(got->extents == matrix().extents);
  CHECK(got->strides == matrix().strides);
  CHECK(got->box == matrix().box);
  CHECK(got->swizzle == tensor_swizzle::bytes_128);
  CHECK(replace_address(map, 8192));
  CHECK(unpack<tiled_tensor>(map)->address == 8192);
  CHECK_FALSE(replace_address(map, 8200));
  CHECK_FALSE(unpack<im2col_tensor>(map));
  CHECK_FALSE(unpack<tiled_tensor>(tensor_map{}));
  tensor_map none;
  CHECK_FALSE(replace_address(none, 8192));
}

TEST_CASE("so does one of im2col") {
  im2col_tensor t;
  t.type = tensor_type::f32;
  t.rank = 5;
  t.address = 4096;
  t.extents = {100, 50, 20, 30, std::uint64_t{1} << 32};
  t.strides = {400, 20000, 400000, 4000000};
  t.steps = {1, 2, 3, 4, 8};
  t.lower = {-16, -2, 15};
  t.upper = {3, -4, 5};
  t.channels = 256;
  t.pixels = 1024;
  t.fill = tensor_fill::nan;
  tensor_map map;
  REQUIRE(encode(map, t).empty());
  const auto got = unpack<im2col_tensor>(map);
  REQUIRE(got);
  CHECK(got->type == tensor_type::f32);
  CHECK(got->rank == 5);
  CHECK(got->extents == t.extents);
  CHECK(got->strides == t.strides);
  CHECK(got->steps == t.steps);
  CHECK(got->lower == t.lower);
  CHECK(got->upper == t.upper);
  CHECK(got->channels == 256);
  CHECK(got->pixels == 1024);
  CHECK(got->fill == tensor_fill::nan);
  CHECK_FALSE(unpack<tiled_tensor>(map));
  CHECK(replace_address(map, 8192));
  CHECK(unpack<im2col_tensor>(map)->address == 8192);
  CHECK_FALSE(replace_address(map, 8200));
  t.pixels = 0;
  CHECK_FALSE(encode(map, t).empty());
  CHECK(unpack<im2col_tensor>(map)->pixels == 1024);
}

TEST_CASE("every rule of a tensor map is checked") {
  const auto broken = [](auto change) {
    tiled_tensor t = matrix();
    change(t);
    tensor_map map;
    return !encode(map, t).empty();
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

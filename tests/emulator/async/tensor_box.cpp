#include <tg/emulator/async/tensor_box.hpp>

#include <doctest/doctest.h>

#include <bit>

using namespace tg::emulator;

TEST_CASE("a swizzle permutes the 16-byte chunks of 8, 4 or 2 rows") {
  for (std::uint32_t row = 0; row < 16; ++row)
    for (std::uint32_t chunk = 0; chunk < 8; ++chunk) {
      const std::uint32_t at = row * 128 + chunk * 16;
      CHECK_EQ(swizzled(at + 5, tensor_swizzle::none), at + 5);
      CHECK_EQ(swizzled(at + 5, tensor_swizzle::bytes_128), row * 128 + (chunk ^ (row % 8)) * 16 + 5);
      CHECK_EQ(swizzled(at, tensor_swizzle::bytes_64), row * 128 + (chunk ^ (row % 4)) * 16);
      CHECK_EQ(swizzled(at, tensor_swizzle::bytes_32), row * 128 + (chunk ^ (row % 2)) * 16);
    }
}

TEST_CASE("rows of a box are cut at the edges of the tensor") {
  tiled_tensor t;
  t.type = tensor_type::f32;
  t.rank = 2;
  t.address = 1024;
  t.extents = {10, 5, 1, 1, 1};
  t.strides = {48, 0, 0, 0};
  t.box = {8, 4, 1, 1, 1};
  const tensor_box inside(t, {0, 0, 0, 0, 0});
  CHECK_EQ(inside.bytes(), 128);
  CHECK_EQ(inside.find(3).address, 1024 + 3 * 48);
  CHECK_EQ(inside.find(3).bytes, 32);
  const tensor_box left(t, {-3, 3, 0, 0, 0});
  CHECK_EQ(left.find(0).address, 1024 + 3 * 48);
  CHECK_EQ(left.find(0).skip_bytes, 12);
  CHECK_EQ(left.find(0).bytes, 20);
  CHECK_EQ(left.find(2).bytes, 0);
  const tensor_box right(t, {8, -1, 0, 0, 0});
  CHECK_EQ(right.find(0).bytes, 0);
  CHECK_EQ(right.find(1).bytes, 8);
  t.steps = {1, 2, 1, 1, 1};
  const tensor_box stepping(t, {0, 1, 0, 0, 0});
  CHECK_EQ(stepping.rows(), 2);
  CHECK_EQ(stepping.find(1).address, 1024 + 3 * 48);
}

TEST_CASE("the rows of a column are the channels of its pixels, cut at the edges of the tensor") {
  im2col_tensor t;
  t.type = tensor_type::f32;
  t.rank = 3;
  t.address = 1024;
  t.extents = {10, 5, 3, 1, 1};
  t.strides = {48, 240, 0, 0};
  t.lower[0] = -1;
  t.channels = 8;
  t.pixels = 9;
  const tensor_box box(t, {4, -1, 1, 0, 0}, {1, 0, 0});
  CHECK_EQ(box.row_bytes(), 32);
  CHECK_EQ(box.rows(), 9);
  CHECK_EQ(box.bytes(), 9 * 32);
  CHECK_EQ(box.find(0).address, 1024 + 240 + 16);
  CHECK_EQ(box.find(0).skip_bytes, 0);
  CHECK_EQ(box.find(0).bytes, 24);
  CHECK_EQ(box.find(4).address, 1024 + 240 + 4 * 48 + 16);
  CHECK_EQ(box.find(5).bytes, 0);  // past the last pixel of its row, as all is moved by 1
  CHECK_EQ(box.find(6).address, 1024 + 480 + 16);
}

TEST_CASE("what lies outside is zero, or the NaN of its width") {
  tiled_tensor t;
  t.type = tensor_type::f64;
  const auto fill = [&] { return std::bit_cast<std::uint64_t>(tensor_box(t, {}).fill()); };
  CHECK_EQ(fill(), 0);
  t.fill = tensor_fill::nan;
  CHECK_EQ(fill(), 0x7ff77ff77ff77ff7);
}

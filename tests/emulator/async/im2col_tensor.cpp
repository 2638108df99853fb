#include <tg/emulator/async/im2col_tensor.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace tg::emulator;

namespace {

/// Two images of 4 by 4 pixels.
im2col_tensor images() {
  im2col_tensor t;
  t.type = tensor_type::f16;
  t.rank = 4;
  t.address = 4096;
  t.extents = {32, 4, 4, 2, 1};
  t.strides = {64, 256, 1024, 0};
  t.channels = 16;
  t.pixels = 16;
  return t;
}

/// "w,h,n" of each pixel.
std::string column(const im2col_tensor& t, const tensor_index& at, const im2col_offsets& offsets = {}) {
  std::string out;
  for (const tensor_index& p : column_of(t, at, offsets))
    out += (out.empty() ? "" : " ") + std::to_string(p[1]) + "," + std::to_string(p[2]) + "," + std::to_string(p[3]);
  return out;
}

}  // namespace

TEST_CASE("a column goes through the bounding box row by row and image by image") {
  im2col_tensor t = images();
  t.pixels = 6;
  CHECK_EQ(column(t, {0, 2, 2, 0, 0}), "2,2,0 3,2,0 0,3,0 1,3,0 2,3,0 3,3,0");
  CHECK_EQ(column(t, {0, 3, 3, 0, 0}), "3,3,0 0,0,1 1,0,1 2,0,1 3,0,1 0,1,1");
  t.lower = {-1, -2, 0};
  t.upper = {-2, -3, 0};  // W from -1 to 1, H from -2 to 0
  CHECK_EQ(column(t, {0, 0, -1, 0, 0}), "0,-1,0 1,-1,0 -1,0,0 0,0,0 1,0,0 -1,-2,1");
}

TEST_CASE("offsets move all its pixels and change nothing else") {
  im2col_tensor t = images();
  t.pixels = 4;
  t.lower = {-1, -1, 0};
  t.upper = {-1, -1, 0};
  CHECK_EQ(column(t, {0, 1, 2, 0, 0}), "1,2,0 2,2,0 -1,-1,1 0,-1,1");
  CHECK_EQ(column(t, {0, 1, 2, 0, 0}, {2, 1, 0}), "3,3,0 4,3,0 1,0,1 2,0,1");
}

TEST_CASE("steps skip pixels of the box, not of the column") {
  im2col_tensor t = images();
  t.pixels = 5;
  t.steps = {1, 2, 3, 7, 1};
  CHECK_EQ(column(t, {0, 0, 0, 0, 0}), "0,0,0 2,0,0 0,3,0 2,3,0 0,0,1");
}

TEST_CASE("every rule of a map of im2col is checked") {
  const auto broken = [](auto change) {
    im2col_tensor t = images();
    change(t);
    return !broken_rule(t).empty();
  };
  CHECK_FALSE(broken([](im2col_tensor&) {}));
  CHECK(broken([](im2col_tensor& t) { t.rank = 2; }));
  CHECK(broken([](im2col_tensor& t) { t.rank = 6; }));
  CHECK(broken([](im2col_tensor& t) { t.address = 4104; }));
  CHECK(broken([](im2col_tensor& t) { t.channels = 0; }));
  CHECK(broken([](im2col_tensor& t) { t.channels = 264; }));
  CHECK(broken([](im2col_tensor& t) { t.channels = 12; }));
  CHECK(broken([](im2col_tensor& t) { t.pixels = 0; }));
  CHECK(broken([](im2col_tensor& t) { t.pixels = 1025; }));
  CHECK_FALSE(broken([](im2col_tensor& t) { t.pixels = 1024; }));
  CHECK(broken([](im2col_tensor& t) { t.upper[0] = -4; }));
  CHECK_FALSE(broken([](im2col_tensor& t) { t.upper[0] = -3; }));
  CHECK(broken([](im2col_tensor& t) { t.lower[1] = 4; }));
  CHECK(broken([](im2col_tensor& t) { t.swizzle = tensor_swizzle::bytes_32, t.channels = 32; }));
}

TEST_CASE("corners have 16, 8 or 5 bits") {
  const auto broken = [](std::uint32_t rank, std::int32_t lower, std::int32_t upper) {
    im2col_tensor t = images();
    t.rank = rank;
    t.extents = {32, 100000, 100000, 100000, 2};
    t.lower[0] = lower;
    t.upper[rank - 3] = upper;
    return !broken_rule(t).empty();
  };
  for (const std::uint32_t rank : {3u, 4u, 5u}) {
    const std::int32_t limit = rank == 3 ? 32768 : rank == 4 ? 128 : 16;
    CHECK_FALSE(broken(rank, -limit, limit - 1));
    CHECK_FALSE(broken(rank, limit - 1, -limit));
    CHECK(broken(rank, -limit - 1, 0));
    CHECK(broken(rank, limit, 0));
    CHECK(broken(rank, 0, -limit - 1));
    CHECK(broken(rank, 0, limit));
  }
}

TEST_CASE("a copy begins in the bounding box, and a store stays in the tensor") {
  im2col_tensor t = images();
  t.lower = {-1, -1, 0};
  t.upper = {-1, -1, 0};
  const auto is_legal = [&](tensor_index at, im2col_offsets offsets, bool is_store) {
    return broken_rule(t, at, offsets, is_store).empty();
  };
  CHECK(is_legal({-8, -1, 2, -1, 0}, {255, 255, 0}, false));
  CHECK_FALSE(is_legal({0, -2, 0, 0, 0}, {}, false));
  CHECK_FALSE(is_legal({0, 3, 0, 0, 0}, {}, false));
  CHECK_FALSE(is_legal({0, 0, 3, 0, 0}, {}, false));
  CHECK_FALSE(is_legal({0, 0, 0, 0, 0}, {256, 0, 0}, false));
  CHECK_FALSE(is_legal({0, 0, 0, 0, 0}, {0, 256, 0}, false));
  CHECK_FALSE(is_legal({0, 0, 0, 0, 0}, {}, true));
  t.lower = {0, 1, 0};
  CHECK(is_legal({0, 0, 1, 0, 0}, {}, true));
  CHECK_FALSE(is_legal({-1, 0, 1, 0, 0}, {}, true));
  CHECK_FALSE(is_legal({0, 0, 1, -1, 0}, {}, true));
  t.upper = {0, 1, 0};
  CHECK_FALSE(is_legal({0, 0, 1, 0, 0}, {}, true));
}

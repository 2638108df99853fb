#include <tg/emulator/async/tensor_shape.hpp>

#include <doctest/doctest.h>

using namespace tg::emulator;

TEST_CASE("elements of tensors have the widths and kinds that the driver names") {
  CHECK_EQ(element_bytes(tensor_type::u8), 1);
  CHECK_EQ(element_bytes(tensor_type::bf16), 2);
  CHECK_EQ(element_bytes(tensor_type::tf32_ftz), 4);
  CHECK_EQ(element_bytes(tensor_type::f64), 8);
  CHECK_FALSE(is_float(tensor_type::s64));
  CHECK(is_float(tensor_type::f16));
}

TEST_CASE("every rule that maps of both kinds share is checked") {
  const auto broken = [](auto change, std::uint32_t inner = 32) {
    tensor_shape t;
    t.type = tensor_type::f16;
    t.rank = 3;
    t.address = 4096;
    t.extents = {100, 50, 20, 1, 1};
    t.strides = {256, 25600, 0, 0};
    change(t);
    return !broken_shape_rule(t, inner).empty();
  };
  CHECK_FALSE(broken([](tensor_shape&) {}));
  CHECK(broken([](tensor_shape& t) { t.type = static_cast<tensor_type>(13); }));
  CHECK(broken([](tensor_shape& t) { t.rank = 0; }));
  CHECK(broken([](tensor_shape& t) { t.rank = 6; }));
  CHECK(broken([](tensor_shape& t) { t.address = 4104; }));
  CHECK(broken([](tensor_shape& t) { t.extents[1] = 0; }));
  CHECK(broken([](tensor_shape& t) { t.extents[0] = (std::uint64_t{1} << 32) + 1; }));
  CHECK(broken([](tensor_shape& t) { t.steps[1] = 0; }));
  CHECK(broken([](tensor_shape& t) { t.steps[1] = 9; }));
  CHECK(broken([](tensor_shape& t) { t.strides[0] = 200; }));
  CHECK(broken([](tensor_shape& t) { t.strides[1] = std::uint64_t{1} << 40; }));
  CHECK(broken([](tensor_shape& t) { t.swizzle = static_cast<tensor_swizzle>(4); }));
  CHECK(broken([](tensor_shape& t) { t.type = tensor_type::u16, t.fill = tensor_fill::nan; }));
  CHECK_FALSE(broken([](tensor_shape& t) { t.fill = tensor_fill::nan; }));
  CHECK(broken([](tensor_shape&) {}, 0));
  CHECK(broken([](tensor_shape&) {}, 257));
  CHECK(broken([](tensor_shape&) {}, 36));
  CHECK(broken([](tensor_shape& t) { t.swizzle = tensor_swizzle::bytes_32; }));
  CHECK_FALSE(broken([](tensor_shape& t) { t.swizzle = tensor_swizzle::bytes_64; }));
}

TEST_CASE("an interleaved tensor has rules of its own") {
  const auto broken = [](auto change) {
    tensor_shape t;
    t.type = tensor_type::u8;
    t.rank = 3;
    t.strides = {64, 640, 0, 0};
    t.interleave = tensor_interleave::bytes_32;
    t.swizzle = tensor_swizzle::bytes_32;
    change(t);
    return !broken_shape_rule(t, 48).empty();
  };
  CHECK_FALSE(broken([](tensor_shape&) {}));
  CHECK(broken([](tensor_shape& t) { t.rank = 2; }));
  CHECK(broken([](tensor_shape& t) { t.address = 16; }));
  CHECK(broken([](tensor_shape& t) { t.strides[0] = 48; }));
  CHECK(broken([](tensor_shape& t) { t.swizzle = tensor_swizzle::none; }));
}

#include <tg/dsl/memory/view.hpp>

#include <tg/dsl/memory/shared.hpp>
#include <tg/dsl/memory/subview.hpp>
#include <tg/dsl/value/cast.hpp>
#include <tg/dsl/value/var.hpp>
#include <tg/dsl/vector/narrow_float.hpp>
#include <tg/dsl/vector/vec.hpp>

#include "../../unqualified.hpp"
#include "../recording.hpp"

using namespace tg::literals;

static_assert(tg::in<float>::alignment_bytes == 16 && tg::in2<float, tg::multiple_of<8>>::leading_multiple_of == 8);
static_assert(tg::in2<float>::rank == 2 && tg::out<int>::access == tg::mode::write);

// A user's own `put(x, i)` is not taken for one of tg::detail: neither for parameters nor for what is computed of them.
static_assert(!unqualified::reaches_detail<tg::in<float>> &&
              !unqualified::reaches_detail<tg::inout2<tg::f16, tg::multiple_of<8>>>);
static_assert(!unqualified::reaches_detail<tg::scalar<float>>);

TEST_CASE("a user's functions of views, tiles, elements and values do not meet those of tg::detail") {
  (void)recording::of<tg::block_t<32, 8>>([](auto block, recording::parameters p) {
    const auto i = block.thread.x + block.thread.y * 32_c;
    const auto tile = tg::shared<float>(tg::shape<8, 33>);
    tile(block.thread.y, block.thread.x) = p.x(i);
    tg::var most = p.x(i) * 2.0f;
    using unqualified::require_no_detail;
    require_no_detail(block, block.warp(), block.thread, block.thread.x, block.index, block.global.x, i, i % 5_c);
    require_no_detail(tile, tile(block.thread.y, 0_c), tg::subview(tile, 1_c, tg::full_extent), tg::shape<8, 33>, 5_c);
    require_no_detail(p.x(i), p.y(i), p.x(i) * 2.0f, p.n + 1u, i < p.n, most, tg::make_vec(i, i));
  });
}

TEST_CASE("a read-only view reads through the non-coherent path") {
  CHECK(recording::of([](auto block, recording::parameters p) { (void)p.x(block.thread.x); }).text ==
        "mul.wide.u32 add.s64 ld.global.nc.f32");
  CHECK(recording::of([](auto block, recording::parameters p) { (void)p.y(block.thread.x); }).text ==
        "mul.wide.u32 add.s64 ld.global.f32");
}

TEST_CASE("an index widens as its type says") {
  CHECK(recording::of([](auto block, recording::parameters p) { (void)p.x(tg::cast<int>(block.thread.x)); }).text ==
        "mul.wide.s32 add.s64 ld.global.nc.f32");
  CHECK(recording::of([](auto, recording::parameters p) { (void)p.x(3_c); }).text == "ld.global.nc.f32");
}

TEST_CASE("rows of a leading dimension known at run time are judged") {
  const auto r = recording::of<tg::block_t<32, 8>>([](auto block, recording::parameters p) {
    (void)p.m(block.thread.y, block.thread.x);
    (void)p.m(block.global.y, block.global.x);
  });
  CHECK(r.accesses[0].verdict == tg::verdict::proved);
  CHECK(r.accesses[0].global.sectors == 5);
  CHECK(r.accesses[1].global.good);
}

TEST_CASE("eight lanes in each of four rows use whole sectors") {
  const auto r =
      recording::of<tg::block_t<8, 32>>([](auto block, recording::parameters p) { (void)p.m(block.thread.y, block.thread.x); });
  CHECK(r.accesses[0].global.good);
  CHECK(r.accesses[0].global.ideal_sectors == 4);
}

TEST_CASE("rows, columns and their products have 64 bits where they need them") {
  const auto text = [](auto index) {
    return recording::of([&](auto block, recording::parameters p) { index(block, p); }).text;
  };
  CHECK(text([](auto block, auto p) { (void)p.m(p.n, block.thread.x); }) ==
        "mul.wide.u32 add.s64 mul.wide.u32 add.s64 ld.global.nc.f32");
  CHECK(text([](auto block, auto p) { (void)p.m(p.s, block.thread.x); }) ==
        "mul.wide.u32 add.s64 mul.wide.s32 add.s64 ld.global.nc.f32");
  CHECK(text([](auto block, auto p) { (void)p.m(tg::cast<std::uint64_t>(p.n), tg::cast<std::uint64_t>(block.thread.x)); }) ==
        "cvt.u64.u32 cvt.u64.u32 mul.lo.s64 add.s64 cvt.u64.u32 mul.lo.s64 add.s64 ld.global.nc.f32");
}

TEST_CASE("C++ integers as rows and columns are judged by their numbers") {
  const auto judged = [](int row, int column) {
    return recording::error_of<tg::block_t<32>>([&](auto block, recording::parameters p) {
      (void)p.m(block.thread.x / 8_c * static_cast<unsigned>(row), block.thread.x % 8_c * static_cast<unsigned>(column));
    });
  };
  CHECK(judged(1, 1) == "none");
  CHECK(judged(2, 1) == "none");
  CHECK(judged(1, 2).substr(0, 3) == "202");
}

TEST_CASE("a place in a grid of more than 2^32 threads") {
  const auto r = recording::of([](auto block, recording::parameters p) { p.y(block.global_index64()) = p.a; });
  CHECK(r.accesses[0].global.good);
  CHECK(r.text.find("mul.wide.u32") != std::string::npos);
  CHECK(std::is_same_v<decltype(std::declval<tg::block_handle<tg::block_t<256>>>().global_index64())::device_type,
                       std::uint64_t>);
}

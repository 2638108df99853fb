#include <tg/dsl/view.hpp>

#include <tg/dsl/cast.hpp>

#include "recording.hpp"

using namespace tg::literals;

using tg::detail::promised;
static_assert(promised<tg::aligned<32>> == 32 && promised<tg::multiple_of<12>> == 12);
static_assert(tg::in<float>::alignment_bytes == 16 && tg::in2<float, tg::multiple_of<8>>::leading_multiple_of == 8);
static_assert(tg::in2<float>::rank == 2 && tg::out<int>::access == tg::mode::write);

TEST_CASE("a read-only view reads through the non-coherent path") {
  CHECK(recording::of([](auto block, recording::parameters p) { (void)p.x(block.thread.x); }).text ==
        "mul.wide.u32 add.s64 ld.global.nc.f32");
  CHECK(recording::of([](auto block, recording::parameters p) { (void)p.y(block.thread.x); }).text == "mul.wide.u32 add.s64 ld.global.f32");
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
  const auto r = recording::of<tg::block_t<8, 32>>([](auto block, recording::parameters p) { (void)p.m(block.thread.y, block.thread.x); });
  CHECK(r.accesses[0].global.good);
  CHECK(r.accesses[0].global.ideal_sectors == 4);
}

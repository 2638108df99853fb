#include <tg/dsl/atomic.hpp>

#include "recording.hpp"

TEST_CASE("each atomic is one instruction that returns what was there") {
  CHECK(recording::of([](auto block, recording::parameters p) { tg::atomic_add(p.u(block.index.x), 1); }).text ==
        "mul.wide.u32 add.s64 ld.global.u32 atom.global.add.u32");
  CHECK(recording::of([](auto block, recording::parameters p) { tg::atomic_add(p.y(block.index.x), p.a); }).text ==
        "mul.wide.u32 add.s64 ld.global.f32 atom.global.add.f32");
  CHECK(recording::of([](auto block, recording::parameters p) { tg::atomic_max(p.u(block.index.x), p.n); }).text ==
        "mul.wide.u32 add.s64 ld.global.u32 atom.global.max.u32");
  CHECK(recording::of([](auto block, recording::parameters p) { tg::atomic_or(p.u(block.index.x), p.n); }).text ==
        "mul.wide.u32 add.s64 ld.global.u32 atom.global.or.b32");
  CHECK(recording::of([](auto block, recording::parameters p) { tg::atomic_compare_exchange(p.u(block.index.x), 0, p.n); }).text ==
        "mul.wide.u32 add.s64 ld.global.u32 atom.global.cas.b32");
}

TEST_CASE("a float is exchanged as bits") {
  CHECK(recording::of([](auto block, recording::parameters p) { tg::atomic_exchange(p.y(block.index.x), p.a); }).text ==
        "mul.wide.u32 add.s64 ld.global.f32 mov.b32 atom.global.exch.b32 mov.b32");
}

TEST_CASE("an atomic writes") {
  const auto r = recording::of([](auto block, recording::parameters p) { tg::atomic_add(p.u(block.index.x), 1); });
  REQUIRE(r.accesses.size() == 2);
  CHECK(r.accesses[1].is_write);
}

TEST_CASE("a C++ number that the element cannot hold is refused") {
  const auto negative = [](auto block, recording::parameters p) { tg::atomic_add(p.u(block.index.x), -1); };
  CHECK(recording::error_of(negative) == recording::at(122, __LINE__ - 1));
}

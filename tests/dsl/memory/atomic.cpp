#include <tg/dsl/memory/atomic.hpp>

#include <tg/dsl/memory/scoped_atomic.hpp>
#include <tg/dsl/memory/shared.hpp>
#include <tg/dsl/vector/packed.hpp>

#include "../recording.hpp"
#include "../word.hpp"

using namespace tg::literals;

TEST_CASE("each atomic is one instruction that returns what was there") {
  CHECK(recording::of([](auto block, recording::parameters p) { tg::atomic_add(p.u(block.index.x), 1); }).text ==
        "mul.wide.u32 add.s64 ld.global.u32 atom.global.add.u32");
  CHECK(recording::of([](auto block, recording::parameters p) { tg::atomic_add(p.y(block.index.x), p.a); }).text ==
        "mul.wide.u32 add.s64 ld.global.f32 atom.global.add.f32");
  CHECK(recording::of([](auto block, recording::parameters p) { tg::atomic_max(p.u(block.index.x), p.n); }).text ==
        "mul.wide.u32 add.s64 ld.global.u32 atom.global.max.u32");
  CHECK(recording::of([](auto block, recording::parameters p) { tg::atomic_or(p.u(block.index.x), p.n); }).text ==
        "mul.wide.u32 add.s64 ld.global.u32 atom.global.or.b32");
  CHECK(recording::of([](auto block, recording::parameters p) {
          tg::atomic_compare_exchange(p.u(block.index.x), 0, p.n);
        }).text == "mul.wide.u32 add.s64 ld.global.u32 atom.global.cas.b32");
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

namespace {

/// What 64 threads of two blocks leave when each adds `one` to an element in global and one in shared memory, the block's
/// own; the last of each block adds the tile's to a third.
template <class T> std::vector<T> counted(T one) {
  const auto kernel = tg::lower(tg::kernel<"counts">(tg::block<64>, [one](auto block, tg::inout<T> y) {
    const auto tile = tg::shared<T>(tg::shape<1>);
    tg::if_(block.thread.x == 0u, [&] { tile(0_c) = y(3_c); });
    block.sync();
    tg::atomic_add(y(0_c), one);
    tg::atomic_add<tg::order::acq_rel, tg::scope::system>(y(1_c), one);
    tg::atomic_add<tg::order::relaxed, tg::scope::block>(tile(0_c), one);
    block.sync();
    tg::if_(block.thread.x == 0u, [&] { tg::atomic_add(y(2_c), tile(0_c)); });
  }));
  INFO(kernel.ptx);
  CHECK(accuracy::complaints_from_its_sm_on(kernel.ptx) == "");
  std::vector<T> y(4, T{});
  word::launch(kernel.ptx, 2, y);
  return y;
}

}  // namespace

TEST_CASE("halves, and the halves of pairs, are counted by all threads") {
  using tg::f16, tg::bf16;
  const auto all = [](auto sum) { return std::vector<decltype(sum)>{sum, sum, sum, {}}; };
  CHECK(counted(f16(0.5)) == all(f16(64)));
  CHECK(counted(bf16(-1.0)) == all(bf16(-128)));
  CHECK(counted(tg::f16x2{f16(1), f16(-3)}) == all(tg::f16x2{f16(128), f16(-384)}));
  CHECK(counted(tg::bf16x2{bf16(2), bf16(0.25)}) == all(tg::bf16x2{bf16(256), bf16(32)}));
}

TEST_CASE("an atomic of halves keeps subnormals, and says so") {
  const auto text = [](auto zero) {
    using T = decltype(zero);
    return tg::lower(tg::kernel<"add">(tg::block<32>,
                                       [zero](auto block, tg::inout<T> x, tg::out<T> y) {
                                         y(block.global_index()) = tg::atomic_add<tg::order::release>(x(0_c), zero);
                                       }))
        .ptx;
  };
  CHECK(text(tg::f16()).find("atom.release.gpu.global.add.noftz.f16 ") != std::string::npos);
  CHECK(text(tg::bf16()).find("atom.release.gpu.global.add.noftz.bf16 ") != std::string::npos);
  CHECK(text(tg::f16x2()).find("atom.release.gpu.global.add.noftz.f16x2 ") != std::string::npos);
  CHECK(text(tg::bf16x2()).find("atom.release.gpu.global.add.noftz.bf16x2 ") != std::string::npos);
}

#include <tg/dsl/memory/atomic.hpp>

#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <tg/dsl/flow/while_.hpp>
#include <tg/dsl/memory/atomic_access.hpp>
#include <tg/dsl/memory/scoped_atomic.hpp>
#include <tg/dsl/memory/shared.hpp>
#include <tg/dsl/value/bit_cast.hpp>
#include <tg/dsl/value/let.hpp>
#include <tg/dsl/value/var.hpp>
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

TEST_CASE("floats are compared and exchanged as bits, halves and pairs as they lie in their registers") {
  CHECK(recording::of([](auto block, recording::parameters p) {
          tg::atomic_compare_exchange(p.y(block.index.x), p.a, 2.0f);
        }).text == "mul.wide.u32 add.s64 ld.global.f32 mov.b32 mov.b32 atom.global.cas.b32 mov.b32");
  const auto text = [](auto one) {
    using T = decltype(one);
    return tg::lower(tg::kernel<"exchange">(
                         tg::block<32>,
                         [one](auto, tg::inout<T> x) { tg::atomic_compare_exchange<tg::order::acquire>(x(0_c), one, one); }))
        .ptx;
  };
  CHECK(text(1.0).find("atom.acquire.gpu.global.cas.b64 ") != std::string::npos);
  CHECK(text(tg::f16(1)).find("atom.acquire.gpu.global.cas.b16 ") != std::string::npos);
  CHECK(text(tg::bf16(1)).find("atom.acquire.gpu.global.cas.b16 ") != std::string::npos);
  CHECK(text(tg::f16x2{}).find("atom.acquire.gpu.global.cas.b32 ") != std::string::npos);
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

/// Replaces an element by the larger of itself and `x`, as atomic.hpp writes it.
template <class Bits, class Element, class T> void keep_largest(Element element, const T& x) {
  tg::var seen = tg::atomic_load(element());
  tg::while_([&] { return seen < x; },
             [&] {
               const auto held = tg::atomic_compare_exchange(element(), seen, x);
               seen = tg::select(tg::bit_cast<Bits>(held) == tg::bit_cast<Bits>(seen), x, held);
             });
}

/// The largest of `x` and of `start`, found by a thread for each in two blocks: directly, and by way of an element of shared
/// memory.
template <class Bits, class T> void check_largest(std::vector<T> x, T start) {
  const auto kernel = tg::lower(tg::kernel<"largest">(tg::block<64>, [start](auto block, tg::in<T> x, tg::inout<T> y) {
    const auto tile = tg::shared<T>(tg::shape<1>);
    tg::if_(block.thread.x == 0u, [&] { tile(0_c) = start; });
    block.sync();
    const auto own = tg::let(x(block.global_index()));
    keep_largest<Bits>([&] { return y(0_c); }, own);
    keep_largest<Bits>([&] { return tile(0_c); }, own);
    block.sync();
    tg::if_(block.thread.x == 0u, [&] { keep_largest<Bits>([&] { return y(1_c); }, tg::let(tile(0_c))); });
  }));
  INFO(kernel.ptx);
  CHECK(accuracy::complaints_from_its_sm_on(kernel.ptx) == "");
  std::vector<T> y(2, start);
  word::launch(kernel.ptx, 2, x, y);
  T wanted = start;
  for (const T& v : x)
    if (static_cast<double>(wanted) < static_cast<double>(v)) wanted = v;
  for (const T& v : y) CHECK(static_cast<double>(v) == static_cast<double>(wanted));
}

/// What is left in global and in shared memory of `from` where it is `expected`, and what the element held.
template <class T> std::vector<T> exchanged(T from, T expected, T desired) {
  const auto kernel = tg::lower(tg::kernel<"exchanged">(tg::block<32>, [=](auto block, tg::inout<T> y) {
    const auto tile = tg::shared<T>(tg::shape<1>);
    tg::if_(block.thread.x == 0u, [&] {
      tile(0_c) = from;
      y(1_c) = tg::atomic_compare_exchange(y(0_c), expected, desired);
      y(3_c) = tg::atomic_compare_exchange(tile(0_c), expected, desired);
      y(2_c) = tile(0_c);
    });
  }));
  INFO(kernel.ptx);
  CHECK(accuracy::complaints_from_its_sm_on(kernel.ptx) == "");
  std::vector<T> y(4, from);
  word::launch(kernel.ptx, 1, y);
  return y;
}

template <class T> void check_exchanged(T from, T expected, T desired, bool is_found) {
  const std::vector<T> y = exchanged(from, expected, desired);
  const T left = is_found ? desired : from, wanted[] = {left, from, left, from};
  CHECK(std::memcmp(y.data(), wanted, sizeof wanted) == 0);
}

}  // namespace

TEST_CASE("a loop of exchanges finds the largest of floats, in global and in shared memory") {
  std::mt19937 random{random_seed()};
  std::vector<float> x(128);
  for (float& v : x) v = static_cast<float>(random() % 4096) / 16 - 250;
  const auto as = [&]<class T>(T) {
    std::vector<T> out;
    for (const float v : x) out.push_back(static_cast<T>(v));
    return out;
  };
  for (const float start : {-1000.0f, 0.5f, 1000.0f}) {
    check_largest<std::uint32_t>(x, start);
    check_largest<std::uint64_t>(as(0.0), static_cast<double>(start));
    check_largest<std::uint16_t>(as(tg::f16()), tg::f16(start));
    check_largest<std::uint16_t>(as(tg::bf16()), tg::bf16(start));
  }
  x[77] = std::numeric_limits<float>::quiet_NaN();  // not larger than anything
  check_largest<std::uint32_t>(x, -1000.0f);
}

TEST_CASE("an exchange compares bits: zeros of two signs differ, a NaN is one of the same bits") {
  const auto check = []<class T>(T) {
    const T nan = static_cast<T>(std::numeric_limits<float>::quiet_NaN());
    check_exchanged<T>(T(1.5f), T(1.5f), T(-2.0f), true);
    check_exchanged<T>(T(1.5f), T(2.5f), T(-2.0f), false);
    check_exchanged<T>(T(-0.0f), T(0.0f), T(3.0f), false);
    check_exchanged<T>(T(-0.0f), T(-0.0f), T(3.0f), true);
    check_exchanged<T>(nan, nan, T(4.0f), true);
    check_exchanged<T>(T(1.0f), nan, T(4.0f), false);
  };
  check(0.0f), check(0.0), check(tg::f16()), check(tg::bf16());
  using pair = tg::f16x2;
  check_exchanged<pair>({tg::f16(0), tg::f16(1)}, {tg::f16(0), tg::f16(1)}, {tg::f16(5), tg::f16(6)}, true);
  check_exchanged<pair>({tg::f16(0), tg::f16(1)}, {tg::f16(-0.0), tg::f16(1)}, {tg::f16(5), tg::f16(6)}, false);
}

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

#include <tg/dsl/flow/for_.hpp>

#include <tg/dsl/value/let.hpp>

#include <vector>

#include <tg/dsl/value/cast.hpp>
#include <tg/dsl/value/gather.hpp>
#include <tg/dsl/value/var.hpp>
#include <tg/runtime.hpp>

#include "../recording.hpp"

using namespace tg::literals;

using tg::detail::always_enters;
using tg::detail::stop_limit;
using lane = tg::index::single<tg::index::thread<'x', 256, 1, 1>>;
using tx = tg::value<unsigned, lane>;

static_assert(always_enters<lane, tg::constant<256>> && !always_enters<lane, tg::constant<255>>);
static_assert(!always_enters<lane, tg::value<unsigned>> && !always_enters<tg::index::data, tg::constant<256>>);
static_assert(!always_enters<tg::index::minus<lane, tg::index::number<1>>, tg::constant<256>>, "thread 0 starts at 2^32 - 1");
static_assert(stop_limit<tx, tg::constant<1024>> == 1024 && stop_limit<tg::value<int, lane>, tg::constant<1024>> == 0);
static_assert(stop_limit<tg::constant<-1>, tg::constant<1024>> == 0);

TEST_CASE("a counter keeps the lanes of its start") {
  const auto r = recording::of([](auto block, recording::parameters p) {
    tg::for_(tg::range(block.thread.x, p.n, 256_c), [&](auto i) { p.y(i) = p.x(i); });
    tg::for_(tg::range(block.global_index(), p.n, block.grid.x * block.size.x), [&](auto i) { p.y(i) = p.x(i); });
  });
  for (const auto& a : r.accesses) {
    CHECK(a.verdict == tg::verdict::proved);
    CHECK(a.global.good);
  }
}

TEST_CASE("a loop has one branch, and a guard only where it may not be entered") {
  CHECK(recording::of([](auto, recording::parameters p) { tg::for_(tg::range(p.n), [&](auto) { (void)(p.a + p.a); }); }).text ==
        "mov.u32 setp.lt.u32 <if> <loop> mov.u32 add.f32 add.u32 setp.lt.u32 mov.u32 <endloop> <endif>");
  CHECK(recording::of([](auto, recording::parameters p) {
          tg::for_(tg::range(0_c, 8_c), [&](auto) { (void)(p.a + p.a); });
        }).text == "mov.u32 <loop> mov.u32 add.f32 add.u32 setp.lt.u32 mov.u32 <endloop>");
}

TEST_CASE("a loop counts down with a negative constant") {
  CHECK(recording::of([](auto, recording::parameters p) {
          tg::for_(tg::range(p.s, 0_c, -1_c), [&](auto) { (void)(p.a + p.a); });
        }).text.starts_with("setp.gt.s32 mov.s32 <if>"));
}

TEST_CASE("a step known when recording is judged then") {
  const auto good = recording::of([](auto block, recording::parameters p) {
    int step = 256;
    tg::for_(tg::range(block.thread.x, p.n, step), [&](auto i) { p.y(i) = 0.0f; });
  });
  CHECK(good.accesses[0].verdict == tg::verdict::traced);
  const auto strided = [](auto block, recording::parameters p) {
    int stride = 2;
    tg::for_(tg::range(block.thread.x, p.n, 256_c), [&](auto i) { p.y(i * stride) = 0.0f; });
  };
  CHECK(recording::error_of(strided) == recording::at(202, __LINE__ - 2));
}

namespace {

/// The values that one thread counts in `range`.
template <class Range> std::vector<long long> counted(Range range) {
  const auto kernel = tg::kernel<"count">(tg::block<32>, [=](auto block, tg::inout<long long> y, tg::scalar<unsigned> n) {
    (void)n;
    tg::if_(block.thread.x == 0u, [&] {
      tg::var<unsigned> k = 0u;
      tg::for_(range, [&](auto i) {
        y(tg::scatter(k)) = tg::cast<long long>(i);
        k += 1u;
      });
      y(31_c) = tg::cast<long long>(k);
    });
  });
  tg::device gpu;
  auto y = gpu.upload(std::vector<long long>(32, 99));
  gpu.launch(kernel, tg::cover(32), y, 7u);
  std::vector<long long> out = y.to_host();
  out.resize(static_cast<std::size_t>(out[31]));
  return out;
}

using counts = std::vector<long long>;

}  // namespace

TEST_CASE("a range with a negative bound counts signed") {
  CHECK(counted(tg::range(tg::constant<-2>{}, 3_c)) == counts{-2, -1, 0, 1, 2});
  CHECK(counted(tg::range(-5_c, tg::constant<-3>{})) == counts{-5, -4});
  CHECK(counted(tg::range(1_c, -2_c, -1_c)) == counts{1, 0, -1});
  const int radius = 2;
  CHECK(counted(tg::range(-radius, radius + 1)) == counts{-2, -1, 0, 1, 2});
  CHECK(counted(tg::range(radius, -radius - 1, -2)) == counts{2, 0, -2});
  CHECK(counted(tg::range(3, 3)) == counts{});
  CHECK(counted(tg::range(2u, 4u)) == counts{2, 3});
  CHECK(counted(tg::range(3)) == counts{0, 1, 2});
  CHECK(counted(tg::range(3u, 0u, -1)) == counts{3, 2, 1});
  CHECK(counted(tg::range(10_c, 0_c, -4_c)) == counts{10, 6, 2});
  CHECK(counted(tg::range(10u, 0u, -4)) == counts{10, 6, 2});  // an unsigned counter does not jump over 0
  CHECK(counted(tg::range(8u, 0u, -4)) == counts{8, 4});
  CHECK(counted(tg::range(10u, 3u, -4)) == counts{10, 6});
  CHECK(counted(tg::range(-3ll, -1ll)) == counts{-3, -2});
}

TEST_CASE("a signed counter is an index that the compiler knows") {
  const auto r = recording::of([](auto block, recording::parameters p) {
    const auto i = tg::let(block.global_index() + 2_c);
    tg::for_(tg::range(tg::constant<-2>{}, 3_c), [&](auto d) { p.y(tg::cast<unsigned>(tg::cast<int>(i) + d)) = 1.0f; });
  });
  CHECK(r.accesses.back().verdict == tg::verdict::proved);
  CHECK(r.accesses.back().global.good);
}

TEST_CASE("TG135 for a step of 0, TG122 for a bound that unsigned does not hold") {
  CHECK(recording::error_of([](auto, recording::parameters p) {
          tg::for_(tg::range(0, 8, 0), [&](auto) { (void)(p.a + p.a); });
        }).starts_with("135"));
  CHECK(recording::error_of([](auto, recording::parameters p) {
          tg::for_(tg::range(-2, p.n), [&](auto) { (void)(p.a + p.a); });
        }).starts_with("122"));
}

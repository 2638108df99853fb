#include <tg/dsl/for_.hpp>

#include "recording.hpp"

using namespace tg::literals;

using tg::detail::always_enters;
using tg::detail::stop_limit;
using lane = tg::index::single<tg::index::thread<'x', 256, 1, 1>>;
using tx = tg::value<unsigned, lane>;

static_assert(always_enters<lane, tg::constant<256>> && !always_enters<lane, tg::constant<255>>);
static_assert(!always_enters<lane, tg::value<unsigned>> && !always_enters<tg::index::data, tg::constant<256>>);
static_assert(!always_enters<tg::index::minus<lane, tg::index::number<1>>, tg::constant<256>>,
              "thread 0 starts at 2^32 - 1");
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
  CHECK(recording::of([](auto, recording::parameters p) { tg::for_(tg::range(p.n), [](auto) {}); }).text ==
        "mov.u32 setp.lt.u32 <if> <loop> mov.u32 add.u32 setp.lt.u32 mov.u32 <endloop> <endif>");
  CHECK(recording::of([](auto, recording::parameters) { tg::for_(tg::range(0_c, 8_c), [](auto) {}); }).text ==
        "mov.u32 <loop> mov.u32 add.u32 setp.lt.u32 mov.u32 <endloop>");
}

TEST_CASE("a loop counts down with a negative constant") {
  CHECK(recording::of([](auto, recording::parameters p) {
          tg::for_(tg::range(p.s, 0_c, -1_c), [](auto) {});
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

#include <tg/dsl/block/block.hpp>

#include "../recording.hpp"

using namespace tg::literals;

template <int X, int Y = 1, int Z = 1> using handle = tg::block_handle<tg::block_t<X, Y, Z>>;
template <class V> using form = typename V::form;
using namespace tg::index;

using wide = handle<32, 8>;
static_assert(std::is_same_v<form<decltype(wide().thread.x)>, single<thread<'x', 32, 8, 1>>>);
static_assert(std::is_same_v<form<decltype(wide().thread.z)>, number<0>>);
static_assert(std::is_same_v<form<decltype(wide().index.y)>, single<uniform<1>>>);
static_assert(std::is_same_v<form<decltype(wide().global.x)>, plus<single<uniform<32>>, single<thread<'x', 32, 8, 1>>>>);
static_assert(std::is_same_v<form<decltype(wide().global.z)>, single<uniform<1>>>);
static_assert(std::is_same_v<form<decltype(wide().thread_index())>,
                             plus<single<thread<'x', 32, 8, 1>>, times<single<thread<'y', 32, 8, 1>>, number<32>>>>);
static_assert(decltype(wide().size.y)::value == 8);
static_assert(tg::block_t<4, 3, 2>::threads == 24);

TEST_CASE("a barrier is one instruction") {
  CHECK(recording::of([](auto block, recording::parameters) { block.sync(); }).text == "bar.sync");
}

TEST_CASE("the thread's number counts x fastest") {
  const auto r = recording::of<tg::block_t<8, 4, 2>>([](auto block, recording::parameters p) {
    auto v = p.x(block.thread_index());
    (void)v;
  });
  CHECK(r.accesses[0].global.sectors == 5);
  CHECK(r.accesses[0].global.ideal_sectors == 4);
}

TEST_CASE("the lanes of a warp are numbered over the whole block") {
  const auto r = recording::of<tg::block_t<8, 8>>([](auto block, recording::parameters p) {
    auto v = p.x(block.warp().index * 32_c + block.warp().lane);
    (void)v;
  });
  CHECK(r.accesses[0].verdict == tg::verdict::proved);
  CHECK(r.accesses[0].global.touched_bytes == 128);
}

#include <tg/dsl/operators.hpp>

#include <type_traits>

#include <tg/dsl/let.hpp>
#include <tg/dsl/math.hpp>

#include "recording.hpp"

using namespace tg::literals;

using namespace tg::index;
template <class V> using form = typename V::form;

TEST_CASE("each operator is one instruction of the operands' type") {
  const auto text = [](auto f) { return recording::of([f](auto, recording::parameters p) { f(p); }).text; };
  CHECK(text([](auto p) { (void)(p.n + 1); }) == "add.u32");
  CHECK(text([](auto p) { (void)(p.s * p.s); }) == "mul.lo.s32");
  CHECK(text([](auto p) { (void)(p.a * 2.0f); }) == "mul.f32");
  CHECK(text([](auto p) { (void)(p.a / p.a); }) == "div.rn.f32");
  CHECK(text([](auto p) { (void)(p.n / 3); }) == "div.u32");
  CHECK(text([](auto p) { (void)(p.s % 3); }) == "rem.s32");
  CHECK(text([](auto p) { (void)(p.s >> 2); }) == "shr.s32");
  CHECK(text([](auto p) { (void)(p.n << 2); }) == "shl.b32");
  CHECK(text([](auto p) { (void)(p.n & 7); }) == "and.b32");
  CHECK(text([](auto p) { (void)-p.a; }) == "neg.f32");
  CHECK(text([](auto p) { (void)-p.s; }) == "sub.s32");
  CHECK(text([](auto p) { (void)~p.n; }) == "not.b32");
  CHECK(text([](auto p) { (void)(p.a != 0.0f); }) == "setp.neu.f32");
  CHECK(text([](auto p) { (void)!(p.n < 3 && p.s < 3); }) == "setp.lt.u32 setp.lt.s32 and.pred not.pred");
}

TEST_CASE("an index keeps its form, a float and a comparison have none") {
  recording::of<tg::block_t<32, 8>>([](auto block, recording::parameters p) {
    using x = single<thread<'x', 32, 8, 1>>;
    auto tx = block.thread.x;
    static_assert(std::is_same_v<form<decltype(tx * 4_c + 1_c)>, plus<times<x, number<4>>, number<1>>>);
    static_assert(std::is_same_v<form<decltype(tx / 4_c)>, single<quotient<x, number<4>, false>>>);
    static_assert(std::is_same_v<form<decltype(tx + 4)>, traced>);
    static_assert(std::is_same_v<form<decltype(tx + p.u(tx))>, data>);
    static_assert(std::is_same_v<form<decltype(p.u(tx) + 4)>, data>);
    static_assert(std::is_same_v<form<decltype(~tx)>, data>);
    static_assert(std::is_same_v<form<decltype(tx < 4)>, data>);
    static_assert(std::is_same_v<form<decltype(p.a * p.a)>, data>);
    // Two unknowns of one type are not one unknown.
    static_assert(!is_number<form<decltype(p.n - p.n)>>);
    static_assert(!is_number<form<decltype(block.index.x - block.index.y)>>);
    // A signed and an unsigned quotient are not the same.
    static_assert(!std::is_same_v<form<decltype(tx / 4_c)>, form<decltype(tg::cast<int>(tx) / 4_c)>>);
  });
}

TEST_CASE("a mask of constants is a constant") {
  const auto r = recording::of([](auto block, recording::parameters p) { (void)p.x(block.thread.x & ~31_c); });
  CHECK(r.accesses[0].global.touched_bytes == 4);
}

TEST_CASE("a C++ number that its type cannot hold is refused with the line before it") {
  const auto negative = [](auto block, recording::parameters) {
    auto i = tg::let(block.thread.x);
    (void)(i + -1);
  };
  CHECK(recording::error_of(negative) == recording::at(122, __LINE__ - 3));
}

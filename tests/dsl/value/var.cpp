#include <tg/dsl/value/var.hpp>

#include <utility>

#include <tg/dsl/value/let.hpp>

#include "../recording.hpp"

TEST_CASE("the last assignment before a branch is a move, and so is a read of what is not known") {
  CHECK(recording::of([](auto, recording::parameters p) {
          tg::var<unsigned> v = 1u;
          v = p.n;
          v += 2;
          v <<= 1;
          tg::if_(p.n < 3, [&] { v += p.n; });
          v += 1;
          v = v + v;
        }).text == "mov.u32 add.u32 shl.b32 setp.lt.u32 mov.u32 <if> add.u32 mov.u32 <endif> mov.u32 add.u32 add.u32");
}

TEST_CASE("a copy is another variable") {
  CHECK(recording::of([](auto, recording::parameters) {
          tg::var<float> v = 0.0f;
          auto w = v.copy();
          w = 1.0f;
        }).text == "mov.f32 mov.f32 mov.f32 mov.f32");
}

TEST_CASE("a variable has the type of the number that it begins with") {
  recording::of([](auto, recording::parameters p) {
    const tg::var count = 0u;
    static_assert(std::is_same_v<decltype(count), const tg::var<unsigned>>);
    static_assert(std::is_same_v<decltype(tg::var(0.5f)), tg::var<float>>);
    static_assert(std::is_same_v<decltype(tg::var(p.a * 2.0f)), tg::var<float>>);
    static_assert(std::is_same_v<decltype(tg::var(p.n < 3)), tg::var<bool>>);
    static_assert(std::is_same_v<decltype(tg::var(std::declval<tg::var<int>>())), tg::var<int>>);
  });
}

TEST_CASE("two variables are exchanged") {
  recording::of([](auto, recording::parameters p) {
    const auto one = tg::let(p.a), two = one + one;
    tg::var<float> v = one, w = two;
    std::swap(v, w);
    CHECK(tg::let(v).operand == two.operand);
    CHECK(tg::let(w).operand == one.operand);
  });
}

TEST_CASE("what a variable holds is for the recorder to say, of integers") {
  static_assert(std::is_same_v<tg::var<unsigned>::form, tg::index::traced>);
  static_assert(std::is_same_v<tg::var<float>::form, tg::index::data>);
  static_assert(std::is_same_v<decltype(std::declval<tg::var<int>>().get())::form, tg::index::traced>);
  CHECK(recording::of([](auto, recording::parameters p) {
          const tg::var<bool> v = p.n < 3;
          tg::if_(v, [&] { (void)(p.a + p.a); });
        }).text == "setp.lt.u32 mov.pred <if> add.f32 <endif>");
}

TEST_CASE("TG122 for a start that does not fit, with the line") {
  const auto negative = [](auto, recording::parameters) { (void)tg::var<unsigned>(-1); };
  CHECK(recording::error_of(negative) == recording::at(122, __LINE__ - 1));
}

TEST_CASE("++ and -- step a variable by one; behind it they give what was there before") {
  CHECK(recording::of([](auto, recording::parameters p) {
          tg::var<unsigned> k = p.n;
          ++k;
          --k;
          tg::var<float> s = p.a;
          ++s;
        }).text == "add.u32 sub.u32 add.f32");
  recording::of([](auto, recording::parameters p) {
    const auto one = tg::let(p.n);
    tg::var<unsigned> k = one;
    CHECK((k++).operand == one.operand);
    const auto two = tg::let(k);
    CHECK((k--).operand == two.operand);
    CHECK((++k).target() == k.target());
  });
}

TEST_CASE("a variable without a number may be assigned later, and is not read before: TG315") {
  CHECK(recording::of([](auto, recording::parameters p) {
          tg::var<float> s;
          tg::if_(p.n < 3, [&] { s = p.a; }).else_([&] { s = 0.0f; });
          p.y(p.n) = s;
        }).text.find("st.global.f32") != std::string::npos);
  const auto never = [](auto, recording::parameters p) {
    tg::var<float> s;
    p.y(p.n) = s;
  };
  CHECK(recording::error_of(never) == recording::at(315, __LINE__ - 2));
  const auto sometimes = [](auto, recording::parameters p) {
    tg::var<float> s;
    tg::if_(p.n < 3, [&] { s = p.a; });
    p.y(p.n) = s;
  };
  CHECK(recording::error_of(sometimes) == recording::at(315, __LINE__ - 2));
  CHECK(recording::message_of(sometimes).find("with a number for where it does not run (tg::var<float> s = 0.0f;)") !=
        std::string::npos);
}

#include <tg/dsl/value/cast.hpp>

#include <limits>
#include <type_traits>

#include "../recording.hpp"

using lane = tg::index::single<tg::index::thread<'x', 64, 1, 1>>;
using below = tg::index::minus<lane, tg::index::number<5>>;
using unknown_below = tg::index::plus<below, tg::index::single<tg::index::uniform<1>>>;
using tg::detail::keeps_form;
using u64 = unsigned long long;

static_assert(keeps_form<int, unsigned, lane>() && keeps_form<u64, unsigned, lane>() && keeps_form<unsigned, u64, lane>());
static_assert(!keeps_form<unsigned char, unsigned, lane>(), "bytes lose the upper bits");
static_assert(!keeps_form<float, unsigned, lane>() && !keeps_form<unsigned, float, lane>());
// 4294967291 stays 4294967291 when it becomes wider; it is not -5.
static_assert(!keeps_form<u64, unsigned, below>());
static_assert(keeps_form<u64, int, below>() && keeps_form<int, unsigned, below>());
static_assert(keeps_form<u64, unsigned, unknown_below>(), "an unknown base is taken not to wrap");

template <class To> std::string cast_from_float() {
  return recording::of([](auto, recording::parameters p) { (void)tg::cast<To>(p.a); }).text;
}
template <class To> std::string cast_from_unsigned() {
  return recording::of([](auto, recording::parameters p) { (void)tg::cast<To>(p.n); }).text;
}

TEST_CASE("each conversion is the instruction that C++ means") {
  CHECK(cast_from_float<int>() == "cvt.rzi.s32.f32");
  CHECK(cast_from_float<unsigned char>() == "cvt.rzi.u8.f32");
  CHECK(cast_from_float<double>() == "cvt.f64.f32");
  CHECK(cast_from_float<bool>() == "setp.neu.f32");
  CHECK(cast_from_float<float>() == "");
  CHECK(cast_from_unsigned<int>() == "");
  CHECK(cast_from_unsigned<float>() == "cvt.rn.f32.u32");
  CHECK(cast_from_unsigned<long long>() == "cvt.u64.u32");
  CHECK(cast_from_unsigned<signed char>() == "cvt.s32.s8");
  CHECK(recording::of([](auto, recording::parameters p) { (void)tg::cast<u64>(p.s); }).text == "cvt.s64.s32");
  CHECK(recording::of([](auto, recording::parameters p) { (void)tg::cast<float>(p.n < 3); }).text == "setp.lt.u32 selp.f32");
}

TEST_CASE("an index keeps its lanes through a cast between integers") {
  const auto r = recording::of([](auto block, recording::parameters p) {
    auto i = tg::cast<u64>(tg::cast<int>(block.global_index()));
    auto v = p.x(i);
    (void)v;
  });
  CHECK(r.accesses[0].verdict == tg::verdict::proved);
}

TEST_CASE("a C++ number converts as a device value does") {
  using namespace tg::literals;
  static_assert(std::is_same_v<decltype(tg::cast<float>(3)), float>);
  static_assert(tg::cast<float>(3) == 3.0f && tg::cast<double>(3_c) == 3.0 && tg::cast<bool>(2) && tg::cast<int>(-2.75) == -2);
  static_assert(tg::cast<int>(1e20f) == 2147483647 && tg::cast<unsigned>(-1.0f) == 0u &&
                tg::cast<unsigned char>(300.0f) == 255);
  static_assert(tg::cast<int>(std::numeric_limits<float>::quiet_NaN()) == 0);
  CHECK(recording::of([](auto, recording::parameters p) { (void)(p.a * tg::cast<float>(3)); }).text == "mul.f32");
}

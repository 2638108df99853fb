#include <tg/dsl/value/operators.hpp>

#include <string>
#include <type_traits>

#include <tg/dsl.hpp>

#include "../index/register_model.hpp"
#include "../recording.hpp"

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
  const auto of_conditions = [&](auto f) {
    return text([f](auto p) {
      const auto a = p.n < 3, b = p.n < 5;
      (void)f(a, b);
    });
  };
  CHECK(of_conditions([](auto a, auto b) { return a != b; }) == "setp.lt.u32 setp.lt.u32 xor.pred");
  CHECK(of_conditions([](auto a, auto b) { return a == b; }) == "setp.lt.u32 setp.lt.u32 xor.pred not.pred");
  CHECK(text([](auto p) { (void)!(p.n < 3 && p.s < 3); }) == "setp.lt.u32 setp.lt.s32 and.pred not.pred");
}

TEST_CASE("a C++ number on the left of each operator") {
  const auto text = [](auto f) { return recording::of([f](auto, recording::parameters p) { f(p); }).text; };
  CHECK(text([](auto p) { (void)(2.0f - p.a); }) == "sub.f32");
  CHECK(text([](auto p) { (void)(1.0f / p.a); }) == "div.rn.f32");
  CHECK(text([](auto p) { (void)(5 % p.s); }) == "rem.s32");
  CHECK(text([](auto p) { (void)(5u / p.n); }) == "div.u32");
  CHECK(text([](auto p) { (void)(5 ^ p.n); }) == "xor.b32");
  CHECK(text([](auto p) { (void)(3 < p.n); }) == "setp.lt.u32");
  CHECK(text([](auto p) { (void)(1u << p.n); }) == "shl.b32");
  CHECK(text([](auto p) { (void)(1ull << p.n); }) == "shl.b64");
  CHECK(text([](auto p) { (void)(-8 >> p.n); }) == "shr.s32");
  CHECK(text([](auto p) { (void)(0x80000000u >> p.s); }) == "shr.u32");
  CHECK(text([](auto p) { (void)(1_c << p.n); }) == "shl.b32");
  recording::of([](auto block, recording::parameters) {
    auto lane = block.thread.x % 32_c;
    static_assert(std::is_same_v<tg::device_type_of<decltype(1ull << lane)>, unsigned long long>);
    static_assert(std::is_same_v<tg::device_type_of<decltype(1 << lane)>, int>);
    static_assert(std::is_same_v<tg::device_type_of<decltype(1_c << lane)>, unsigned>);
  });
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
    static_assert(std::is_same_v<form<decltype(~tx)>, traced>);
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

template <class V> auto to_signed(V v) { return tg::cast<int>(v); }
template <class V> auto to_unsigned(V v) { return tg::cast<unsigned>(v); }

// Compares what the form of f(tx, ty) claims, where it claims every lane, with what registers hold. Returns: whether it claims.
template <class F> bool agrees(F f) {
  bool claims = false;
  recording::of<tg::block_t<8, 16>>([&](auto block, recording::parameters) {
    const auto v = f(block.thread.x, block.thread.y);
    for (int warp = 0; warp < 4; ++warp) {
      const auto lanes = tg::index::evaluate<form<decltype(v)>>(warp);
      const bool exact = tg::analysis::is_exact(lanes);
      claims |= exact;
      for (unsigned lane = 0; exact && lane < 32; ++lane) {
        const unsigned thread = static_cast<unsigned>(warp) * 32 + lane;
        using word = register_model::word<unsigned>;
        CHECK(static_cast<unsigned>(lanes.offset[lane]) == f(word{thread % 8}, word{thread / 8}).bits);
      }
    }
  });
  return claims;
}

TEST_CASE("a form claims what registers hold, or nothing") {
  CHECK(agrees([](auto x, auto y) { return x * 33_c + y - 7_c; }));
  CHECK(agrees([](auto x, auto y) { return (x - y) * 3_c + (y - x); }));
  CHECK(agrees([](auto x, auto y) { return (x * 100_c + y) / 7_c % 5_c; }));
  CHECK(agrees([](auto x, auto y) { return (x - 5_c + y) & 31_c; }));
  CHECK(agrees([](auto x, auto y) { return (x ^ y * 8_c) | 64_c; }));
  CHECK(agrees([](auto x, auto y) { return (x << 3_c) + (y >> 1_c); }));
  CHECK(agrees([](auto x, auto y) { return (x * 2654435761_c + y) & 255_c; }));
  CHECK(agrees([](auto x, auto y) { return (x + y * 8_c) * 3_c % 32_c; }));
  CHECK(agrees([](auto x, auto y) { return min(x * 4_c, y) + max(x, 3_c); }));
  CHECK(agrees([](auto x, auto y) { return to_unsigned((to_signed(x) - 4_c) / 2_c + to_signed(y) % 3_c); }));
  CHECK(agrees([](auto x, auto y) { return to_unsigned(max(to_signed(x) - 4_c, 0_c) + min(to_signed(y) - 9_c, 2_c)); }));
  CHECK(agrees([](auto x, auto y) { return to_unsigned((to_signed(x) - to_signed(y)) >> 1_c); }));
}

TEST_CASE("a form claims nothing where a register has wrapped before a division") {
  const auto check = [](auto f) { agrees(f); };
  check([](auto x, auto y) { return (x - y) / 3_c; });
  check([](auto x, auto y) { return (x - y) % 3_c; });
  check([](auto x, auto y) { return (x - y - 1_c) >> 2_c; });
  check([](auto x, auto y) { return min(x - y, 5_c); });
  check([](auto x, auto y) { return max(x - 1_c, y); });
  check([](auto x, auto y) { return to_unsigned(to_signed(x) - to_signed(y)) / 2_c; });
  check([](auto x, auto y) { return to_unsigned(to_signed(x * 1000000000_c) / 3_c) + y; });
  check([](auto x, auto y) { return (x * 1000000000_c + y) / 10_c; });
  CHECK(!agrees([](auto x, auto y) { return (x * 2654435761_c + y) >> 24_c; }));
  check([](auto x, auto y) { return (x << 31_c) / 7_c + y; });
  check([](auto x, auto y) { return (x << 30_c) * 4_c + y; });
  check([](auto x, auto y) { return (x << 33_c) + y; });
  check([](auto x, auto y) { return (x >> 40_c) + (to_unsigned(to_signed(y) - 20_c) >> 40_c); });
  check([](auto x, auto y) { return to_unsigned((to_signed(y) - 20_c) >> 40_c) + x; });
  check([](auto x, auto y) { return (x - 5_c) / 2_c - (x - 5_c) / 2_c + y; });
  check([](auto x, auto y) { return (x * y * 100000_c * 100000_c) % 7_c; });
  check([](auto x, auto y) { return ((x - 3_c) & 4294967280_c) / 16_c + y; });
  check([](auto x, auto y) { return ((x - 3_c) | y) / 16_c; });
  check([](auto x, auto y) { return ((x - 3_c) ^ (y - 3_c)) / 2_c; });
  check([](auto x, auto y) { return to_unsigned(to_signed(x | 2147483648_c) / 4_c) + y; });
  check([](auto x, auto y) { return ((x << 28_c) ^ (y << 28_c)) % 10_c; });
}

TEST_CASE("a C++ number that its type cannot hold is refused with the line before it") {
  const auto negative = [](auto block, recording::parameters) {
    auto i = tg::let(block.thread.x);
    (void)(i + -1);
  };
  CHECK(recording::error_of(negative) == recording::at(122, __LINE__ - 3));
}

TEST_CASE("integers of one size and sign are one type, by whatever name") {
  const std::string text = tg::to_ptx(tg::kernel<"k">(
      tg::block<64>, [](auto block, tg::inout<unsigned long long> x, tg::inout<unsigned long> y, tg::scalar<long long> m) {
        const auto i = block.global_index();
        if constexpr (sizeof(long) == sizeof(long long)) {
          tg::var<unsigned long> s = x(i);
          s += y(i);
          y(i) = tg::select(s > x(i), x(i) * s, tg::min(x(i), s));
          x(i) = y(i) + tg::cast<unsigned long long>(tg::cast<long>(s) * m);
        }
      }));
  CHECK(text.find("cvt.") == std::string::npos);  // a cast to another name is none
}

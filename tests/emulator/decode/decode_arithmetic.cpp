#include <tg/emulator/decode/decode_arithmetic.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <functional>

#include "../runner.hpp"

namespace {

using namespace runner;
using integer = __int128_t;

/// One form, with the register class of its operands and an evaluation of its own.
struct integer_case {
  const char* body;
  int bits;  // of the sources
  const char* result;
  std::size_t arity;
  std::function<std::uint64_t(const words&)> expected;
};

std::int64_t s(std::uint64_t v, int bits) {
  return bits == 64 ? static_cast<std::int64_t>(v) : static_cast<std::int64_t>(v << (64 - bits)) >> (64 - bits);
}
std::uint64_t cut(integer v, int bits) {
  return bits == 64 ? static_cast<std::uint64_t>(v) : static_cast<std::uint64_t>(v) & ((std::uint64_t{1} << bits) - 1);
}
std::uint64_t low(std::uint64_t v, int bits) { return cut(static_cast<integer>(v), bits); }

std::uint64_t clamp_s32(integer v) {
  return cut(v > 0x7fffffff ? 0x7fffffff : v < -integer{0x80000000} ? -integer{0x80000000} : v, 32);
}

void check(const integer_case& c) {
  CAPTURE(c.body);
  const auto rows = combinations(c.bits == 16 ? edges_16 : c.bits == 32 ? edges_32 : edges_64, c.arity);
  const words got = evaluate(c.body, rows, c.result);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (got[i] == c.expected(rows[i])) continue;
    CAPTURE(rows[i][0]);
    CAPTURE(rows[i].back());
    CHECK_EQ(got[i], c.expected(rows[i]));
    return;
  }
}

integer wide(std::uint64_t v, int bits, bool is_signed) {
  return is_signed ? integer{s(v, bits)} : static_cast<integer>(low(v, bits));
}

const std::vector<integer_case> integer_cases = {
    {"add.u32 %r20, %r10, %r11;", 32, "%r20", 2, [](const words& v) { return low(v[0] + v[1], 32); }},
    {"add.s16 %h19, %h10, %h11;", 16, "%h19", 2, [](const words& v) { return low(v[0] + v[1], 16); }},
    {"add.s64 %rd20, %rd10, %rd11;", 64, "%rd20", 2, [](const words& v) { return v[0] + v[1]; }},
    {"add.s32 %r20, %r10, -7;", 32, "%r20", 1, [](const words& v) { return low(v[0] - 7, 32); }},
    {"sub.u64 %rd20, %rd10, %rd11;", 64, "%rd20", 2, [](const words& v) { return v[0] - v[1]; }},
    {"sub.u16 %h19, %h10, %h11;", 16, "%h19", 2, [](const words& v) { return low(v[0] - v[1], 16); }},
    {"add.sat.s32 %r20, %r10, %r11;", 32, "%r20", 2,
     [](const words& v) { return clamp_s32(integer{s(v[0], 32)} + s(v[1], 32)); }},
    {"sub.sat.s32 %r20, %r10, %r11;", 32, "%r20", 2,
     [](const words& v) { return clamp_s32(integer{s(v[0], 32)} - s(v[1], 32)); }},
    {"mul.lo.s32 %r20, %r10, %r11;", 32, "%r20", 2, [](const words& v) { return low(v[0] * v[1], 32); }},
    {"mul.lo.s16 %h19, %h10, %h11;", 16, "%h19", 2, [](const words& v) { return low(v[0] * v[1], 16); }},
    {"mul.lo.u64 %rd20, %rd10, %rd11;", 64, "%rd20", 2, [](const words& v) { return v[0] * v[1]; }},
    {"mul.hi.u32 %r20, %r10, %r11;", 32, "%r20", 2,
     [](const words& v) { return cut((wide(v[0], 32, false) * wide(v[1], 32, false)) >> 32, 32); }},
    {"mul.hi.s32 %r20, %r10, %r11;", 32, "%r20", 2,
     [](const words& v) { return cut((wide(v[0], 32, true) * wide(v[1], 32, true)) >> 32, 32); }},
    {"mul.hi.u16 %h19, %h10, %h11;", 16, "%h19", 2,
     [](const words& v) { return cut((wide(v[0], 16, false) * wide(v[1], 16, false)) >> 16, 16); }},
    {"mul.hi.s16 %h19, %h10, %h11;", 16, "%h19", 2,
     [](const words& v) { return cut((wide(v[0], 16, true) * wide(v[1], 16, true)) >> 16, 16); }},
    {"mul.hi.u64 %rd20, %rd10, %rd11;", 64, "%rd20", 2,
     [](const words& v) { return static_cast<std::uint64_t>((static_cast<__uint128_t>(v[0]) * v[1]) >> 64); }},
    {"mul.hi.s64 %rd20, %rd10, %rd11;", 64, "%rd20", 2,
     [](const words& v) { return cut((wide(v[0], 64, true) * wide(v[1], 64, true)) >> 64, 64); }},
    {"mul.wide.s32 %rd20, %r10, %r11;", 32, "%rd20", 2,
     [](const words& v) { return cut(wide(v[0], 32, true) * wide(v[1], 32, true), 64); }},
    {"mul.wide.u32 %rd20, %r10, %r11;", 32, "%rd20", 2,
     [](const words& v) { return cut(wide(v[0], 32, false) * wide(v[1], 32, false), 64); }},
    {"mul.wide.s16 %r20, %h10, %h11;", 16, "%r20", 2,
     [](const words& v) { return cut(wide(v[0], 16, true) * wide(v[1], 16, true), 32); }},
    {"mul.wide.u16 %r20, %h10, %h11;", 16, "%r20", 2,
     [](const words& v) { return cut(wide(v[0], 16, false) * wide(v[1], 16, false), 32); }},
    {"mad.lo.s32 %r20, %r10, %r11, %r12;", 32, "%r20", 3, [](const words& v) { return low(v[0] * v[1] + v[2], 32); }},
    {"mad.lo.u64 %rd20, %rd10, %rd11, %rd12;", 64, "%rd20", 3, [](const words& v) { return v[0] * v[1] + v[2]; }},
    {"mad.hi.s32 %r20, %r10, %r11, %r12;", 32, "%r20", 3,
     [](const words& v) { return cut(((wide(v[0], 32, true) * wide(v[1], 32, true)) >> 32) + s(v[2], 32), 32); }},
    {"mad.hi.sat.s32 %r20, %r10, %r11, %r12;", 32, "%r20", 3,
     [](const words& v) { return clamp_s32(((wide(v[0], 32, true) * wide(v[1], 32, true)) >> 32) + s(v[2], 32)); }},
    {"mad.wide.s32 %rd20, %r10, %r11, %rd12;", 32, "%rd20", 3,
     [](const words& v) { return cut(wide(v[0], 32, true) * wide(v[1], 32, true), 64) + v[2]; }},
    {"mad.wide.u16 %r20, %h10, %h11, %r12;", 16, "%r20", 3,
     [](const words& v) { return cut(wide(v[0], 16, false) * wide(v[1], 16, false) + static_cast<integer>(v[2]), 32); }},
    {"mul24.lo.u32 %r20, %r10, %r11;", 32, "%r20", 2,
     [](const words& v) { return cut(wide(v[0], 24, false) * wide(v[1], 24, false), 32); }},
    {"mul24.hi.s32 %r20, %r10, %r11;", 32, "%r20", 2,
     [](const words& v) { return cut((wide(v[0], 24, true) * wide(v[1], 24, true)) >> 16, 32); }},
    {"mad24.lo.s32 %r20, %r10, %r11, %r12;", 32, "%r20", 3,
     [](const words& v) { return cut(wide(v[0], 24, true) * wide(v[1], 24, true) + static_cast<integer>(v[2]), 32); }},
    {"div.u32 %r20, %r10, %r11;", 32, "%r20", 2, [](const words& v) { return v[1] == 0 ? 0xffffffffu : v[0] / v[1]; }},
    {"div.s32 %r20, %r10, %r11;", 32, "%r20", 2,
     [](const words& v) { return s(v[1], 32) == 0 ? 0xffffffffu : cut(wide(v[0], 32, true) / wide(v[1], 32, true), 32); }},
    {"div.s64 %rd20, %rd10, %rd11;", 64, "%rd20", 2,
     [](const words& v) { return v[1] == 0 ? ~std::uint64_t{0} : cut(wide(v[0], 64, true) / wide(v[1], 64, true), 64); }},
    {"div.u64 %rd20, %rd10, %rd11;", 64, "%rd20", 2,
     [](const words& v) { return v[1] == 0 ? ~std::uint64_t{0} : v[0] / v[1]; }},
    {"div.u16 %h19, %h10, %h11;", 16, "%h19", 2, [](const words& v) { return v[1] == 0 ? 0xffffu : v[0] / v[1]; }},
    {"div.s16 %h19, %h10, %h11;", 16, "%h19", 2,
     [](const words& v) { return v[1] == 0 ? 0xffffu : cut(wide(v[0], 16, true) / wide(v[1], 16, true), 16); }},
    {"rem.s32 %r20, %r10, %r11;", 32, "%r20", 2,
     [](const words& v) { return v[1] == 0 ? v[0] : cut(wide(v[0], 32, true) % wide(v[1], 32, true), 32); }},
    {"rem.u64 %rd20, %rd10, %rd11;", 64, "%rd20", 2, [](const words& v) { return v[1] == 0 ? v[0] : v[0] % v[1]; }},
    {"rem.s64 %rd20, %rd10, %rd11;", 64, "%rd20", 2,
     [](const words& v) { return v[1] == 0 ? v[0] : cut(wide(v[0], 64, true) % wide(v[1], 64, true), 64); }},
    {"min.s32 %r20, %r10, %r11;", 32, "%r20", 2, [](const words& v) { return s(v[0], 32) < s(v[1], 32) ? v[0] : v[1]; }},
    {"max.u32 %r20, %r10, %r11;", 32, "%r20", 2, [](const words& v) { return std::max(v[0], v[1]); }},
    {"min.s16 %h19, %h10, %h11;", 16, "%h19", 2, [](const words& v) { return s(v[0], 16) < s(v[1], 16) ? v[0] : v[1]; }},
    {"max.u16 %h19, %h10, %h11;", 16, "%h19", 2, [](const words& v) { return std::max(v[0], v[1]); }},
    {"max.s64 %rd20, %rd10, %rd11;", 64, "%rd20", 2, [](const words& v) { return s(v[0], 64) > s(v[1], 64) ? v[0] : v[1]; }},
    {"min.u64 %rd20, %rd10, %rd11;", 64, "%rd20", 2, [](const words& v) { return std::min(v[0], v[1]); }},
    {"abs.s32 %r20, %r10;", 32, "%r20", 1,
     [](const words& v) { return cut(s(v[0], 32) < 0 ? -integer{s(v[0], 32)} : s(v[0], 32), 32); }},
    {"abs.s64 %rd20, %rd10;", 64, "%rd20", 1, [](const words& v) { return s(v[0], 64) < 0 ? 0 - v[0] : v[0]; }},
    {"abs.s16 %h19, %h10;", 16, "%h19", 1, [](const words& v) { return cut(std::abs(s(v[0], 16)), 16); }},
    {"neg.s32 %r20, %r10;", 32, "%r20", 1, [](const words& v) { return low(0 - v[0], 32); }},
    {"neg.s16 %h19, %h10;", 16, "%h19", 1, [](const words& v) { return low(0 - v[0], 16); }},
    {"sad.s32 %r20, %r10, %r11, %r12;", 32, "%r20", 3,
     [](const words& v) {
       const integer d = integer{s(v[0], 32)} - s(v[1], 32);
       return cut((d < 0 ? -d : d) + static_cast<integer>(v[2]), 32);
     }},
    {"sad.u32 %r20, %r10, %r11, %r12;", 32, "%r20", 3,
     [](const words& v) { return low((v[0] < v[1] ? v[1] - v[0] : v[0] - v[1]) + v[2], 32); }},
    {"dp4a.u32.u32 %r20, %r10, %r11, %r12;", 32, "%r20", 3,
     [](const words& v) {
       integer r = static_cast<integer>(v[2]);
       for (int i = 0; i < 4; ++i) r += wide(v[0] >> (8 * i), 8, false) * wide(v[1] >> (8 * i), 8, false);
       return cut(r, 32);
     }},
    {"dp4a.s32.u32 %r20, %r10, %r11, %r12;", 32, "%r20", 3,
     [](const words& v) {
       integer r = static_cast<integer>(v[2]);
       for (int i = 0; i < 4; ++i) r += wide(v[0] >> (8 * i), 8, true) * wide(v[1] >> (8 * i), 8, false);
       return cut(r, 32);
     }},
    {"dp2a.hi.s32.u32 %r20, %r10, %r11, %r12;", 32, "%r20", 3,
     [](const words& v) {
       integer r = static_cast<integer>(v[2]);
       for (int i = 0; i < 2; ++i) r += wide(v[0] >> (16 * i), 16, true) * wide(v[1] >> (16 + 8 * i), 8, false);
       return cut(r, 32);
     }},
    {"add.cc.u32 %r20, %r10, %r11; addc.u32 %r21, %r12, 0;", 32, "%r21", 3,
     [](const words& v) { return low(v[2] + ((v[0] + v[1]) >> 32), 32); }},
    {"add.cc.u32 %r20, %r10, %r11; addc.cc.u32 %r21, %r12, %r12; addc.u32 %r22, 0, 0;", 32, "%r22", 3,
     [](const words& v) { return (2 * v[2] + ((v[0] + v[1]) >> 32)) >> 32; }},
    {"sub.cc.u32 %r20, %r10, %r11; subc.u32 %r21, %r12, 0;", 32, "%r21", 3,
     [](const words& v) { return low(v[2] - (v[0] < v[1] ? 1 : 0), 32); }},
    {"sub.cc.u64 %rd20, %rd10, %rd11; subc.u64 %rd21, %rd12, 5;", 64, "%rd21", 3,
     [](const words& v) { return v[2] - 5 - (v[0] < v[1] ? 1 : 0); }},
    {"sub.cc.u32 %r20, %r10, %r11; addc.u32 %r21, %r12, 0;", 32, "%r21", 3,
     [](const words& v) { return low(v[2] + (v[0] < v[1] ? 0 : 1), 32); }},
    {"sub.cc.u32 %r20, %r10, %r11; subc.cc.u32 %r21, %r12, %r11; addc.u32 %r22, 0, 0;", 32, "%r22", 3,
     [](const words& v) { return v[2] < v[1] + (v[0] < v[1] ? 1 : 0) ? 0 : 1; }},
    {"add.cc.u64 %rd20, %rd10, %rd11; addc.u64 %rd21, %rd12, 0;", 64, "%rd21", 3,
     [](const words& v) { return v[2] + (v[0] + v[1] < v[0] ? 1 : 0); }},
    {"mad.lo.cc.u32 %r20, %r10, %r11, %r12; madc.hi.u32 %r21, %r10, %r11, 0;", 32, "%r21", 3,
     [](const words& v) { return (v[0] * v[1] + v[2]) >> 32; }},
};

std::uint64_t quiet(float r) { return r != r ? 0x7fffffffu : bits(r); }
std::uint64_t quiet(double r) { return r != r ? 0x7fffffffffffffffull : bits(r); }

float flushed(float v) { return std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(0.0f, v) : v; }

/// Any NaN is as good as another.
bool same(std::uint64_t a, std::uint64_t b, bool is_double) {
  return a == b ||
         (is_double ? to_f64(a) != to_f64(a) && to_f64(b) != to_f64(b) : to_f32(a) != to_f32(a) && to_f32(b) != to_f32(b));
}

template <class F> void check_floats(const char* body, bool is_double, std::size_t arity, const char* result, F expected) {
  CAPTURE(body);
  const auto rows = combinations(is_double ? edges_f64 : edges_f32, arity);
  const words got = evaluate(body, rows, result);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::uint64_t want = expected(rows[i]);
    if (same(got[i], want, is_double)) continue;
    CAPTURE(rows[i][0]);
    CAPTURE(rows[i].back());
    CHECK_EQ(got[i], want);
    return;
  }
}

template <class F> auto rounded(int mode, F f) {
  return [=](const words& v) {
    std::fesetround(mode);
    const std::uint64_t r = f(v);
    std::fesetround(FE_TONEAREST);
    return r;
  };
}

}  // namespace

TEST_CASE("integer arithmetic is that of the PTX manual on every edge value") {
  for (const integer_case& c : integer_cases) check(c);
}

TEST_CASE("the comparison with the host finds a wrong expectation") {
  const auto rows = combinations(edges_32, 2);
  const words got = evaluate("sub.u32 %r20, %r11, %r10;", rows, "%r20");
  bool differs = false;
  for (std::size_t i = 0; i < rows.size(); ++i) differs = differs || got[i] != low(rows[i][0] - rows[i][1], 32);
  CHECK(differs);
}

TEST_CASE("float sums and products round as their suffix says") {
  const std::pair<const char*, int> modes[] = {
      {"rn", FE_TONEAREST}, {"rz", FE_TOWARDZERO}, {"rm", FE_DOWNWARD}, {"rp", FE_UPWARD}};
  for (const auto& [name, mode] : modes) {
    const std::string m = name;
    check_floats(("add." + m + ".f32 %f19, %f10, %f11;").c_str(), false, 2, "%f19", rounded(mode, [](const words& v) {
                   volatile float a = to_f32(v[0]), b = to_f32(v[1]);
                   volatile float r = a + b;
                   return quiet(r);
                 }));
    check_floats(("mul." + m + ".f32 %f19, %f10, %f11;").c_str(), false, 2, "%f19", rounded(mode, [](const words& v) {
                   volatile float a = to_f32(v[0]), b = to_f32(v[1]);
                   volatile float r = a * b;
                   return quiet(r);
                 }));
    check_floats(("div." + m + ".f32 %f19, %f10, %f11;").c_str(), false, 2, "%f19", rounded(mode, [](const words& v) {
                   volatile float a = to_f32(v[0]), b = to_f32(v[1]);
                   volatile float r = a / b;
                   return quiet(r);
                 }));
    check_floats(("sub." + m + ".f64 %fd19, %fd10, %fd11;").c_str(), true, 2, "%fd19", rounded(mode, [](const words& v) {
                   volatile double a = to_f64(v[0]), b = to_f64(v[1]);
                   volatile double r = a - b;
                   return quiet(r);
                 }));
    check_floats(("fma." + m + ".f32 %f19, %f10, %f11, %f12;").c_str(), false, 3, "%f19", rounded(mode, [](const words& v) {
                   volatile float a = to_f32(v[0]), b = to_f32(v[1]), c = to_f32(v[2]);
                   volatile float r = std::fma(a, b, c);
                   return quiet(r);
                 }));
    check_floats(("fma." + m + ".f64 %fd19, %fd10, %fd11, %fd12;").c_str(), true, 3, "%fd19", rounded(mode, [](const words& v) {
                   volatile double a = to_f64(v[0]), b = to_f64(v[1]), c = to_f64(v[2]);
                   volatile double r = std::fma(a, b, c);
                   return quiet(r);
                 }));
    check_floats(("sqrt." + m + ".f32 %f19, %f10;").c_str(), false, 1, "%f19", rounded(mode, [](const words& v) {
                   volatile float a = to_f32(v[0]);
                   volatile float r = std::sqrt(a);
                   return quiet(r);
                 }));
    check_floats(("rcp." + m + ".f64 %fd19, %fd10;").c_str(), true, 1, "%fd19", rounded(mode, [](const words& v) {
                   volatile double a = to_f64(v[0]);
                   volatile double r = 1.0 / a;
                   return quiet(r);
                 }));
  }
}

TEST_CASE("an fma rounds once") {
  // (1 + 2^-12)^2 - 1 keeps the last bit of the product only when it is not rounded in between.
  const words got = evaluate("fma.rn.f32 %f19, %f10, %f10, %f11;", {{0x3f800800, bits(-1.0f)}}, "%f19");
  CHECK_EQ(to_f32(got[0]), 0x1p-11f + 0x1p-24f);
}

TEST_CASE("saturation and flushing") {
  check_floats("add.sat.f32 %f19, %f10, %f11;", false, 2, "%f19", [](const words& v) {
    const float r = to_f32(v[0]) + to_f32(v[1]);
    return bits(r > 0 ? std::min(r, 1.0f) : 0.0f);
  });
  check_floats("add.ftz.f32 %f19, %f10, %f11;", false, 2, "%f19",
               [](const words& v) { return quiet(flushed(flushed(to_f32(v[0])) + flushed(to_f32(v[1])))); });
  check_floats("mul.ftz.f32 %f19, %f10, %f11;", false, 2, "%f19", [](const words& v) {
    // Rounded to 24 bits before it is found too small.
    const double exact = static_cast<double>(flushed(to_f32(v[0]))) * flushed(to_f32(v[1]));
    if (!(std::abs(exact) < 0x1p-100)) return quiet(static_cast<float>(exact));
    const float scaled = static_cast<float>(exact * 0x1p100);
    return std::abs(scaled) < 0x1p-26f ? bits(std::copysign(0.0f, scaled)) : bits(static_cast<float>(scaled * 0x1p-100));
  });
  check_floats("neg.ftz.f32 %f19, %f10;", false, 1, "%f19", [](const words& v) { return quiet(-flushed(to_f32(v[0]))); });
  check_floats("min.ftz.f32 %f19, %f10, %f11;", false, 2, "%f19", [](const words& v) {
    const float a = flushed(to_f32(v[0])), b = flushed(to_f32(v[1]));
    return quiet(a != a ? b : b != b ? a : a == b ? (std::signbit(a) ? a : b) : std::min(a, b));
  });
}

TEST_CASE("minimum and maximum order zeros and prefer numbers to NaN") {
  check_floats("min.f32 %f19, %f10, %f11;", false, 2, "%f19", [](const words& v) {
    const float a = to_f32(v[0]), b = to_f32(v[1]);
    return quiet(a != a ? b : b != b ? a : a == b ? (std::signbit(a) ? a : b) : std::min(a, b));
  });
  check_floats("max.f64 %fd19, %fd10, %fd11;", true, 2, "%fd19", [](const words& v) {
    const double a = to_f64(v[0]), b = to_f64(v[1]);
    return quiet(a != a ? b : b != b ? a : a == b ? (std::signbit(a) ? b : a) : std::max(a, b));
  });
  check_floats("max.NaN.f32 %f19, %f10, %f11;", false, 2, "%f19", [](const words& v) {
    const float a = to_f32(v[0]), b = to_f32(v[1]);
    return a != a || b != b ? 0x7fffffffu : bits(a == b ? (std::signbit(a) ? b : a) : std::max(a, b));
  });
  CHECK_EQ(evaluate("min.f32 %f19, %f10, %f11;", {{0x7fc00001, 0xffc00002}}, "%f19")[0], 0x7fffffff);
}

TEST_CASE("f32 arithmetic makes one NaN, f64 arithmetic keeps payloads, halves have all ones") {
  constexpr std::uint64_t inf = 0x7f800000, nan = 0x7fc12345, loud = 0xff812345, one = 0x3f800000, minus = 0xbf800000;
  struct single {
    const char* body;
    words inputs;
  };
  const single singles[] = {{"add.f32 %f19, %f10, %f11;", {inf, inf | 0x80000000}},
                            {"add.f32 %f19, %f10, %f11;", {nan, one}},
                            {"add.ftz.f32 %f19, %f10, %f11;", {loud, one}},
                            {"sub.rz.f32 %f19, %f10, %f11;", {one, nan}},
                            {"mul.f32 %f19, %f10, %f11;", {0, inf}},
                            {"mul.f32 %f19, %f10, %f11;", {loud, nan}},
                            {"fma.rn.f32 %f19, %f10, %f11, %f10;", {0, inf}},
                            {"mad.rn.f32 %f19, %f10, %f10, %f11;", {one, nan}},
                            {"div.rn.f32 %f19, %f10, %f11;", {0, 0}},
                            {"div.approx.f32 %f19, %f10, %f11;", {inf, inf}},
                            {"div.full.f32 %f19, %f10, %f11;", {nan, one}},
                            {"rcp.rn.f32 %f19, %f10;", {nan, 0}},
                            {"rcp.approx.f32 %f19, %f10;", {loud, 0}},
                            {"sqrt.rn.f32 %f19, %f10;", {minus, 0}},
                            {"sqrt.approx.f32 %f19, %f10;", {nan, 0}},
                            {"rsqrt.approx.f32 %f19, %f10;", {minus, 0}},
                            {"sin.approx.f32 %f19, %f10;", {inf, 0}},
                            {"cos.approx.f32 %f19, %f10;", {nan, 0}},
                            {"lg2.approx.f32 %f19, %f10;", {minus, 0}},
                            {"ex2.approx.f32 %f19, %f10;", {nan, 0}},
                            {"tanh.approx.f32 %f19, %f10;", {loud, 0}},
                            {"min.f32 %f19, %f10, %f11;", {nan, loud}},
                            {"max.NaN.f32 %f19, %f10, %f11;", {one, nan}},
                            {"cvt.rni.f32.f32 %f19, %f10;", {nan, 0}},
                            {"cvt.f32.f16 %f19, %h10;", {0xfe01, 0}},
                            {"cvt.rn.f32.f64 %f19, %fd10;", {0x7ff8123456789abc, 0}}};
  for (const single& s : singles) {
    CAPTURE(std::string(s.body));
    CHECK_EQ(evaluate(s.body, {s.inputs}, "%f19")[0], 0x7fffffff);
  }
  CHECK_EQ(evaluate("mov.f32 %f19, %f10;", {{loud}}, "%f19")[0], loud);
  CHECK_EQ(evaluate("selp.f32 %f19, %f10, %f11, 1;", {{nan, one}}, "%f19")[0], nan);
  CHECK_EQ(evaluate("add.sat.f32 %f19, %f10, %f11;", {{nan, one}}, "%f19")[0], 0);
  constexpr std::uint64_t wide = 0x7ff8123456789abc, wide_inf = std::uint64_t{0x7ff} << 52,
                          wide_one = std::uint64_t{0x3ff} << 52;
  CHECK_EQ(evaluate("add.f64 %fd19, %fd10, %fd11;", {{wide, wide_one}}, "%fd19")[0], wide);
  CHECK_EQ(evaluate("mul.f64 %fd19, %fd10, %fd11;", {{0, wide_inf}}, "%fd19")[0], 0xfff8000000000000);
  CHECK_EQ(evaluate("rcp.approx.ftz.f64 %fd19, %fd10;", {{wide}}, "%fd19")[0], 0x7fffffff00000000);
  CHECK_EQ(evaluate("rsqrt.approx.ftz.f64 %fd19, %fd10;", {{wide_one | std::uint64_t{1} << 63}}, "%fd19")[0],
           0x7fffffff00000000);
  CHECK_EQ(evaluate("add.f16 %h19, %h10, %h11;", {{0x7c00, 0xfc00}}, "%h19")[0], 0x7fff);
  CHECK_EQ(evaluate("mul.bf16 %h19, %h10, %h11;", {{0xff81, 0x3f80}}, "%h19")[0], 0x7fff);
  CHECK_EQ(evaluate("st.global.f32 [%rd1], %f10; atom.global.add.f32 %f18, [%rd1], %f11; ld.global.f32 %f19, [%rd1];",
                    {{nan, one}}, "%f19")[0],
           0x7fffffff);
}

TEST_CASE("signs") {
  check_floats("abs.f32 %f19, %f10;", false, 1, "%f19", [](const words& v) { return v[0] & 0x7fffffff; });
  check_floats("neg.f64 %fd19, %fd10;", true, 1, "%fd19", [](const words& v) { return v[0] ^ (std::uint64_t{1} << 63); });
  check_floats("copysign.f32 %f19, %f10, %f11;", false, 2, "%f19",
               [](const words& v) { return (v[0] & 0x80000000) | (v[1] & 0x7fffffff); });
}

TEST_CASE("approximate functions are within their bounds") {
  words points;
  for (int k = -400; k <= 400; ++k) points.push_back(bits(static_cast<float>(k) * 0.0157f + 0.001f));
  for (const std::uint64_t e : edges_f32) points.push_back(e);
  const auto rows = combinations(points, 1);
  struct function {
    const char* body;
    long double (*f)(long double);
    double ulps;
  };
  const function functions[] = {{"sin.approx.f32 %f19, %f10;", [](long double x) { return std::sin(x); }, 1},
                                {"cos.approx.f32 %f19, %f10;", [](long double x) { return std::cos(x); }, 1},
                                {"ex2.approx.f32 %f19, %f10;", [](long double x) { return std::exp2(x); }, 2},
                                {"lg2.approx.f32 %f19, %f10;", [](long double x) { return std::log2(x); }, 1},
                                {"tanh.approx.f32 %f19, %f10;", [](long double x) { return std::tanh(x); }, 2},
                                {"rsqrt.approx.f32 %f19, %f10;", [](long double x) { return 1 / std::sqrt(x); }, 2},
                                {"rcp.approx.f32 %f19, %f10;", [](long double x) { return 1 / x; }, 1},
                                {"sqrt.approx.f32 %f19, %f10;", [](long double x) { return std::sqrt(x); }, 1}};
  for (const function& f : functions) {
    CAPTURE(f.body);
    const words got = evaluate(f.body, rows, "%f19");
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const float x = to_f32(rows[i][0]), r = to_f32(got[i]), want = static_cast<float>(f.f(x));
      const bool fits = want != want       ? r != r
                        : std::isinf(want) ? r == want
                                           : std::abs(static_cast<long double>(r) - f.f(x)) <=
                                                 f.ulps * (std::nextafter(std::abs(want), INFINITY) - std::abs(want));
      if (!fits) {
        CAPTURE(x);
        CHECK_EQ(r, want);
        break;
      }
    }
  }
}

TEST_CASE("approximate division is zero past 2^126") {
  const words got = evaluate(
      "div.approx.f32 %f19, %f10, %f11;",
      {{bits(3.0f), bits(2.0f)}, {bits(3.0f), bits(0x1.8p126f)}, {0x7f800000, bits(0x1.8p126f)}, {bits(1.0f), 0x7f800000}},
      "%f19");
  CHECK_EQ(to_f32(got[0]), 1.5f);
  CHECK_EQ(got[1], 0);
  CHECK(std::isnan(to_f32(got[2])));
  CHECK_EQ(got[3], 0);
}

TEST_CASE("arithmetic in halves rounds once") {
  // 1 + 2^-11 is half way between two halves: to even. 3 * 0.333 in halves.
  CHECK_EQ(evaluate("add.f16 %h19, %h10, %h11;", {{0x3c00, 0x1000}}, "%h19")[0], 0x3c00);
  CHECK_EQ(evaluate("add.f16 %h19, %h10, %h11;", {{0x3c01, 0x1000}}, "%h19")[0], 0x3c02);
  CHECK_EQ(evaluate("mul.f16 %h19, %h10, %h11;", {{0x4200, 0x3555}}, "%h19")[0], 0x3c00);
  CHECK_EQ(evaluate("fma.rn.f16 %h19, %h10, %h11, %h12;", {{0x3c01, 0x3c01, 0xbc02}}, "%h19")[0], 0x0010);
  CHECK_EQ(evaluate("add.f16x2 %r20, %r10, %r11;", {{0x3c004000, 0x3c003c00}}, "%r20")[0], 0x40004200);
  CHECK_EQ(evaluate("neg.f16x2 %r20, %r10;", {{0x3c00c000}}, "%r20")[0], 0xbc004000);
  CHECK_EQ(evaluate("max.f16 %h19, %h10, %h11;", {{0x3c00, 0x7e00}}, "%h19")[0], 0x3c00);
}

TEST_CASE("operands that the emulator does not have are refused with their line") {
  const std::string text = failure([] { evaluate("mov.u32 %r20, %envreg3;", {{1}}, "%r20"); });
  CHECK(has(text, "TG400"));
  CHECK(has(text, "mov.u32"));
  CHECK(has(text, "PTX line"));
}

// Arithmetic on floating-point numbers, compared with the host's.
#include <doctest/doctest.h>

#include <algorithm>
#include <cfenv>
#include <cmath>

#include "../runner.hpp"

namespace {

using namespace runner;

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

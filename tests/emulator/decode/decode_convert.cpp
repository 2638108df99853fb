#include <tg/emulator/decode/decode_convert.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cfenv>
#include <cmath>

#include "../runner.hpp"

namespace {

using namespace runner;
using wide = __int128_t;

struct type {
  const char* name;
  int bits;
  bool is_signed;
};
const type integers[] = {{"u8", 8, false},   {"s8", 8, true},   {"u16", 16, false}, {"s16", 16, true},
                         {"u32", 32, false}, {"s32", 32, true}, {"u64", 64, false}, {"s64", 64, true}};

wide value(std::uint64_t v, const type& t) {
  const std::uint64_t low = t.bits == 64 ? v : v & ((std::uint64_t{1} << t.bits) - 1);
  return t.is_signed && (low >> (t.bits - 1)) ? static_cast<wide>(low) - (wide{1} << t.bits) : static_cast<wide>(low);
}
wide lowest(const type& t) { return t.is_signed ? -(wide{1} << (t.bits - 1)) : 0; }
wide highest(const type& t) { return (wide{1} << (t.bits - t.is_signed)) - 1; }

/// The register of class `bits` that input 10 or the result has.
std::string source_register(int bits) { return bits == 64 ? "%rd10" : bits == 16 ? "%h10" : "%r10"; }
std::string result_register(int bits) { return bits == 64 ? "%rd20" : bits == 16 ? "%h19" : "%r20"; }
std::uint64_t in_register(wide v, int bits) {
  return bits == 64 ? static_cast<std::uint64_t>(v)
                    : static_cast<std::uint64_t>(v) & ((std::uint64_t{1} << (bits < 32 && bits != 16 ? 32 : bits)) - 1);
}

template <class F> void check(const std::string& body, const words& values, const std::string& result, F expected) {
  CAPTURE(body);
  const auto rows = combinations(values, 1);
  const words got = evaluate(body, rows, result);
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (got[i] != expected(rows[i][0])) {
      CAPTURE(rows[i][0]);
      CHECK_EQ(got[i], expected(rows[i][0]));
      return;
    }
  CHECK(!rows.empty());
}

words all_edges() {
  words out = edges_64;
  out.insert(out.end(), edges_32.begin(), edges_32.end());
  out.insert(out.end(), edges_16.begin(), edges_16.end());
  return out;
}

}  // namespace

TEST_CASE("every integer type to every other, cut down and saturated") {
  for (const type& to : integers)
    for (const type& from : integers) {
      const std::string types =
          std::string(to.name) + "." + from.name + " " + result_register(to.bits) + ", " + source_register(from.bits) + ";";
      check("cvt." + types, all_edges(), result_register(to.bits), [&](std::uint64_t v) {
        const type cut{"", to.bits, to.is_signed};
        return in_register(value(static_cast<std::uint64_t>(value(v, from)), cut), to.bits);
      });
      if (highest(to) >= highest(from) && lowest(to) <= lowest(from)) continue;
      check("cvt.sat." + types, all_edges(), result_register(to.bits),
            [&](std::uint64_t v) { return in_register(std::min(std::max(value(v, from), lowest(to)), highest(to)), to.bits); });
    }
}

TEST_CASE("integers to floats in each rounding") {
  const std::pair<const char*, int> modes[] = {
      {"rn", FE_TONEAREST}, {"rz", FE_TOWARDZERO}, {"rm", FE_DOWNWARD}, {"rp", FE_UPWARD}};
  for (const auto& [name, mode] : modes)
    for (const type& from : integers) {
      const auto in_mode = [&, mode = mode](auto convert) {
        return [=](std::uint64_t v) {
          std::fesetround(mode);
          const std::uint64_t r = convert(value(v, from));
          std::fesetround(FE_TONEAREST);
          return r;
        };
      };
      const std::string head = std::string("cvt.") + name;
      check(head + ".f32." + from.name + " %f19, " + source_register(from.bits) + ";", all_edges(), "%f19", in_mode([](wide v) {
              volatile std::int64_t s = static_cast<std::int64_t>(v);
              volatile std::uint64_t u = static_cast<std::uint64_t>(v);
              volatile float r = v < 0 || v <= 0x7fffffffffffffff ? static_cast<float>(s) : static_cast<float>(u);
              return bits(static_cast<float>(r));
            }));
      check(head + ".f64." + from.name + " %fd19, " + source_register(from.bits) + ";", all_edges(), "%fd19",
            in_mode([](wide v) {
              volatile std::int64_t s = static_cast<std::int64_t>(v);
              volatile std::uint64_t u = static_cast<std::uint64_t>(v);
              volatile double r = v < 0 || v <= 0x7fffffffffffffff ? static_cast<double>(s) : static_cast<double>(u);
              return bits(static_cast<double>(r));
            }));
    }
}

TEST_CASE("floats to integers round and saturate; a NaN is 0, or with 64 bits on a side the highest bit") {
  words singles = edges_f32, doubles = edges_f64;
  for (const double d : {0.5, 1.5, -0.5, -1.5, 2.5, 127.5, 128.5, -128.5, 255.5, 32767.5, 65535.5, 2147483647.0, 2147483648.5,
                         -2147483648.5, 4294967295.5, 9.3e18, -9.3e18, 1.9e19}) {
    singles.push_back(bits(static_cast<float>(d)));
    doubles.push_back(bits(d));
  }
  struct rounding {
    const char* name;
    double (*of)(double);
  };
  const rounding roundings[] = {{"rni", [](double x) { return std::nearbyint(x); }},
                                {"rzi", [](double x) { return std::trunc(x); }},
                                {"rmi", [](double x) { return std::floor(x); }},
                                {"rpi", [](double x) { return std::ceil(x); }}};
  for (const type& to : integers)
    for (const rounding& r : roundings) {
      const auto expected = [&](double x, int from_bits) {
        if (x != x) {
          const bool is_long = from_bits == 64 || to.bits == 64;
          return in_register(is_long ? (to.is_signed ? lowest(to) : wide{1} << (to.bits - 1)) : 0, to.bits);
        }
        const double whole = r.of(x);
        const double low = static_cast<double>(lowest(to)), high = std::ldexp(1.0, to.bits - to.is_signed);
        const wide v = whole >= high ? highest(to) : whole <= low ? lowest(to) : static_cast<wide>(whole);
        return in_register(v, to.bits);
      };
      check(std::string("cvt.") + r.name + "." + to.name + ".f32 " + result_register(to.bits) + ", %f10;", singles,
            result_register(to.bits), [&](std::uint64_t v) { return expected(to_f32(v), 32); });
      check(std::string("cvt.") + r.name + "." + to.name + ".f64 " + result_register(to.bits) + ", %fd10;", doubles,
            result_register(to.bits), [&](std::uint64_t v) { return expected(to_f64(v), 64); });
    }
}

TEST_CASE("floats to floats") {
  const auto quiet = [](float r) { return r != r ? std::uint64_t{1} : bits(r); };
  const auto plain = [&](std::uint64_t v) { return quiet(to_f32(v)); };
  words doubles = edges_f64;
  for (const double d : {0.1, 1.0 + 0x1p-24, 1.0 + 3 * 0x1p-24, 0x1.fffffffp127, 0x1p-149, 0x1p-150, 0x1.8p-150})
    doubles.push_back(bits(d));
  const words narrow = evaluate("cvt.rn.f32.f64 %f19, %fd10;", combinations(doubles, 1), "%f19");
  const words down = evaluate("cvt.rm.f32.f64 %f19, %fd10;", combinations(doubles, 1), "%f19");
  for (std::size_t i = 0; i < doubles.size(); ++i) {
    CHECK_EQ(plain(narrow[i]), quiet(static_cast<float>(to_f64(doubles[i]))));
    std::fesetround(FE_DOWNWARD);
    volatile double d = to_f64(doubles[i]);
    volatile float f = static_cast<float>(d);
    std::fesetround(FE_TONEAREST);
    CHECK_EQ(plain(down[i]), quiet(f));
  }
  for (const std::uint64_t v : edges_f32) {
    const float f = to_f32(v);
    CHECK_EQ(quiet(static_cast<float>(to_f64(evaluate("cvt.f64.f32 %fd19, %f10;", {{v}}, "%fd19")[0]))), quiet(f));
    CHECK_EQ(plain(evaluate("cvt.sat.f32.f32 %f19, %f10;", {{v}}, "%f19")[0]), bits(f > 0 ? std::min(f, 1.0f) : 0.0f));
    CHECK_EQ(plain(evaluate("cvt.rni.f32.f32 %f19, %f10;", {{v}}, "%f19")[0]), quiet(std::nearbyint(f)));
    CHECK_EQ(plain(evaluate("cvt.rmi.f32.f32 %f19, %f10;", {{v}}, "%f19")[0]), quiet(std::floor(f)));
  }
  CHECK_EQ(evaluate("cvt.rni.ftz.f32.f32 %f19, %f10;", {{0x80000001}}, "%f19")[0], 0x80000000);
}

TEST_CASE("every half, widened and narrowed, comes back") {
  std::vector<words> rows;
  for (std::uint64_t h = 0; h < 0x10000; h += 1) rows.push_back({h});
  const words wide_bits = evaluate("cvt.f32.f16 %f19, %h10;", rows, "%f19");
  const words back = evaluate("cvt.f32.f16 %f19, %h10; cvt.rn.f16.f32 %h19, %f19;", rows, "%h19");
  int wrong = 0, wrong_value = 0;
  for (std::size_t h = 0; h < rows.size(); ++h) {
    const int exponent = (h >> 10) & 31, fraction = h & 1023;
    const double size = exponent == 31  ? INFINITY
                        : exponent == 0 ? std::ldexp(fraction, -24)
                                        : std::ldexp(1024 + fraction, exponent - 25);
    const bool is_nan = exponent == 31 && fraction != 0;
    wrong += is_nan ? back[h] != 0x7fff : back[h] != h;
    wrong_value += !is_nan && to_f32(wide_bits[h]) != (h & 0x8000 ? -size : size);
  }
  CHECK_EQ(wrong, 0);
  CHECK_EQ(wrong_value, 0);
}

TEST_CASE("narrowing to halves ties to even and overflows to infinity") {
  const auto half = [](float f) { return evaluate("cvt.rn.f16.f32 %h19, %f10;", {{bits(f)}}, "%h19")[0]; };
  CHECK_EQ(half(1.0f + 0x1p-11f), 0x3c00);
  CHECK_EQ(half(1.0f + 3 * 0x1p-11f), 0x3c02);
  CHECK_EQ(half(65519.0f), 0x7bff);
  CHECK_EQ(half(65520.0f), 0x7c00);
  CHECK_EQ(half(-0x1p-25f), 0x8000);
  CHECK_EQ(half(0x1.000002p-25f), 0x0001);
  CHECK_EQ(evaluate("cvt.rn.bf16.f32 %h19, %f10;", {{0x3f808000}}, "%h19")[0], 0x3f80);
  CHECK_EQ(evaluate("cvt.rn.bf16.f32 %h19, %f10;", {{0x3f818000}}, "%h19")[0], 0x3f82);
  CHECK_EQ(evaluate("cvt.rn.f16x2.f32 %r20, %f10, %f11;", {{bits(1.0f), bits(2.0f)}}, "%r20")[0], 0x3c004000);
  CHECK_EQ(evaluate("cvt.rn.f16.s32 %h19, %r10;", {{2049}}, "%h19")[0], 0x6800);
}

TEST_CASE("mov packs and unpacks") {
  CHECK_EQ(evaluate("mov.b64 %rd20, {%r10, %r11};", {{1, 2}}, "%rd20")[0], 0x200000001);
  CHECK_EQ(evaluate("mov.b64 {%r20, %r21}, %rd10;", {{0x200000001}}, "%r21")[0], 2);
  CHECK_EQ(evaluate("mov.b64 {_, %r21}, %rd10;", {{0x300000001}}, "%r21")[0], 3);
  CHECK_EQ(evaluate("mov.b32 %r20, {%h10, %h11};", {{0xaaaa, 0xbbbb}}, "%r20")[0], 0xbbbbaaaa);
  CHECK_EQ(evaluate("mov.b32 {%h18, %h19}, %r10;", {{0xbbbbaaaa}}, "%h19")[0], 0xbbbb);
  CHECK_EQ(evaluate("mov.b64 %rd20, {%h10, %h11, %h12, %h13};", {{1, 2, 3, 4}}, "%rd20")[0], 0x4000300020001);
  CHECK_EQ(evaluate("mov.b64 {%h16, %h17, %h18, %h19}, %rd10;", {{0x4000300020001}}, "%h18")[0], 3);
  CHECK_EQ(evaluate("mov.b32 %f19, 0f40490FDB;", {{0}}, "%f19")[0], 0x40490fdb);
  CHECK_EQ(evaluate("mov.f64 %fd19, 0d400921FB54442D18;", {{0}}, "%fd19")[0], 0x400921fb54442d18);
  CHECK_EQ(evaluate("mov.u32 %r20, WARP_SZ;", {{0}}, "%r20")[0], 32);
}

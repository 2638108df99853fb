#include <tg/emulator/decode/decode_logic.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "../runner.hpp"

namespace {

using namespace runner;

std::int64_t s32(std::uint64_t v) { return static_cast<std::int32_t>(v); }
std::int64_t s16(std::uint64_t v) { return static_cast<std::int16_t>(v); }
std::int64_t s64(std::uint64_t v) { return static_cast<std::int64_t>(v); }
std::uint64_t u32(std::uint64_t v) { return static_cast<std::uint32_t>(v); }

void check(const std::string& body, const words& values, std::size_t arity, const std::string& result,
           const std::function<std::uint64_t(const words&)>& expected) {
  CAPTURE(body);
  const auto rows = combinations(values, arity);
  const words got = evaluate(body, rows, result);
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (got[i] != expected(rows[i])) {
      CAPTURE(rows[i][0]);
      CAPTURE(rows[i].back());
      CHECK_EQ(got[i], expected(rows[i]));
      return;
    }
  CHECK(!rows.empty());
}

/// The manual's own loop, bit by bit.
std::uint64_t extract(std::uint64_t a, std::uint64_t b, std::uint64_t c, int width, bool is_signed) {
  const std::uint64_t position = b & 0xff, length = c & 0xff;
  std::uint64_t sign = 0;
  if (is_signed && length != 0)
    sign = (a >> std::min<std::uint64_t>(position + length - 1, static_cast<std::uint64_t>(width - 1))) & 1;
  std::uint64_t d = 0;
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(width); ++i) {
    const std::uint64_t bit = i < length && position + i < static_cast<std::uint64_t>(width) ? (a >> (position + i)) & 1 : sign;
    d |= bit << i;
  }
  return d;
}

std::uint64_t insert(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d, int width) {
  const std::uint64_t position = c & 0xff, length = d & 0xff;
  for (std::uint64_t i = 0; i < length && position + i < static_cast<std::uint64_t>(width); ++i) {
    const std::uint64_t bit = std::uint64_t{1} << (position + i);
    b = (a >> i) & 1 ? b | bit : b & ~bit;
  }
  return b;
}

const words shifts = {0, 1, 5, 15, 16, 17, 31, 32, 33, 63, 64, 65, 255, 0xffffffff};

}  // namespace

TEST_CASE("logic") {
  check("and.b32 %r20, %r10, %r11;", edges_32, 2, "%r20", [](const words& v) { return v[0] & v[1]; });
  check("or.b64 %rd20, %rd10, %rd11;", edges_64, 2, "%rd20", [](const words& v) { return v[0] | v[1]; });
  check("xor.b16 %h19, %h10, %h11;", edges_16, 2, "%h19", [](const words& v) { return v[0] ^ v[1]; });
  check("not.b64 %rd20, %rd10;", edges_64, 1, "%rd20", [](const words& v) { return ~v[0]; });
  check("not.b16 %h19, %h10;", edges_16, 1, "%h19", [](const words& v) { return ~v[0] & 0xffff; });
  check("cnot.b32 %r20, %r10;", edges_32, 1, "%r20", [](const words& v) { return v[0] == 0; });
  check("cnot.b16 %h19, %h10;", edges_16, 1, "%h19", [](const words& v) { return v[0] == 0; });
  for (const unsigned table : {0x00u, 0x80u, 0x96u, 0xe8u, 0xcau, 0x1bu, 0xffu})
    check("lop3.b32 %r20, %r10, %r11, %r12, " + std::to_string(table) + ";", edges_32, 3, "%r20", [=](const words& v) {
      std::uint64_t r = 0;
      for (int i = 0; i < 32; ++i)
        r |= std::uint64_t{(table >> (4 * ((v[0] >> i) & 1) + 2 * ((v[1] >> i) & 1) + ((v[2] >> i) & 1))) & 1} << i;
      return r;
    });
}

TEST_CASE("shifts clamp their amount") {
  for (const std::uint64_t n : shifts) {
    const std::string amount = ", " + std::to_string(n) + ";";
    check("shl.b32 %r20, %r10" + amount, edges_32, 1, "%r20", [=](const words& v) { return n > 31 ? 0 : u32(v[0] << n); });
    check("shl.b16 %h19, %h10" + amount, edges_16, 1, "%h19",
          [=](const words& v) { return n > 15 ? 0 : (v[0] << n) & 0xffff; });
    check("shl.b64 %rd20, %rd10" + amount, edges_64, 1, "%rd20", [=](const words& v) { return n > 63 ? 0 : v[0] << n; });
    check("shr.u32 %r20, %r10" + amount, edges_32, 1, "%r20", [=](const words& v) { return n > 31 ? 0 : v[0] >> n; });
    check("shr.s32 %r20, %r10" + amount, edges_32, 1, "%r20",
          [=](const words& v) { return u32(static_cast<std::uint64_t>(s32(v[0]) >> std::min<std::uint64_t>(n, 31))); });
    check("shr.s64 %rd20, %rd10" + amount, edges_64, 1, "%rd20",
          [=](const words& v) { return static_cast<std::uint64_t>(s64(v[0]) >> std::min<std::uint64_t>(n, 63)); });
    check("shr.s16 %h19, %h10" + amount, edges_16, 1, "%h19",
          [=](const words& v) { return static_cast<std::uint64_t>(s16(v[0]) >> std::min<std::uint64_t>(n, 15)) & 0xffff; });
    check("shr.u16 %h19, %h10" + amount, edges_16, 1, "%h19", [=](const words& v) { return n > 15 ? 0 : v[0] >> n; });
    check("shf.l.wrap.b32 %r20, %r10, %r11" + amount, edges_32, 2, "%r20", [=](const words& v) {
      const auto k = n & 31;
      return k == 0 ? v[1] : u32((v[1] << k) | (v[0] >> (32 - k)));
    });
    check("shf.r.clamp.b32 %r20, %r10, %r11" + amount, edges_32, 2, "%r20", [=](const words& v) {
      const auto k = std::min<std::uint64_t>(n, 32);
      return k == 32 ? v[1] : u32(((v[1] << 32) | v[0]) >> k);
    });
  }
}

TEST_CASE("bit fields follow the manual bit by bit") {
  std::vector<words> rows;
  for (const std::uint64_t a :
       {std::uint64_t{0x80000000}, std::uint64_t{0xdeadbeef}, std::uint64_t{0x7fffffff}, std::uint64_t{0x9e3779b97f4a7c15}})
    for (const std::uint64_t b : shifts)
      for (const std::uint64_t c : shifts) rows.push_back({a, 0x0123456789abcdef, b, c});
  const auto compare = [&](const std::string& body, const std::string& result,
                           const std::function<std::uint64_t(const words&)>& expected) {
    CAPTURE(body);
    const words got = evaluate(body, rows, result);
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (got[i] != expected(rows[i])) {
        CAPTURE(rows[i][2]);
        CAPTURE(rows[i][3]);
        CHECK_EQ(got[i], expected(rows[i]));
        return;
      }
    CHECK(!rows.empty());
  };
  compare("bfe.u32 %r20, %r10, %r12, %r13;", "%r20", [](const words& v) { return extract(u32(v[0]), v[2], v[3], 32, false); });
  compare("bfe.s32 %r20, %r10, %r12, %r13;", "%r20", [](const words& v) { return extract(u32(v[0]), v[2], v[3], 32, true); });
  compare("bfe.s64 %rd20, %rd10, %r12, %r13;", "%rd20", [](const words& v) { return extract(v[0], v[2], v[3], 64, true); });
  compare("bfe.u64 %rd20, %rd10, %r12, %r13;", "%rd20", [](const words& v) { return extract(v[0], v[2], v[3], 64, false); });
  compare("bfi.b32 %r20, %r10, %r11, %r12, %r13;", "%r20",
          [](const words& v) { return insert(u32(v[0]), u32(v[1]), v[2], v[3], 32); });
  compare("bfi.b64 %rd20, %rd10, %rd11, %r12, %r13;", "%rd20",
          [](const words& v) { return insert(v[0], v[1], v[2], v[3], 64); });
  compare("bmsk.clamp.b32 %r20, %r12, %r13;", "%r20", [](const words& v) {
    return v[2] > 31 ? 0 : u32((v[3] > 31 ? 0xffffffff : (std::uint64_t{1} << v[3]) - 1) << v[2]);
  });
}

TEST_CASE("counts and permutations of bits") {
  check("popc.b32 %r20, %r10;", edges_32, 1, "%r20",
        [](const words& v) { return static_cast<std::uint64_t>(std::popcount(v[0])); });
  check("popc.b64 %r20, %rd10;", edges_64, 1, "%r20",
        [](const words& v) { return static_cast<std::uint64_t>(std::popcount(v[0])); });
  check("clz.b32 %r20, %r10;", edges_32, 1, "%r20",
        [](const words& v) { return static_cast<std::uint64_t>(std::countl_zero(static_cast<std::uint32_t>(v[0]))); });
  check("clz.b64 %r20, %rd10;", edges_64, 1, "%r20",
        [](const words& v) { return static_cast<std::uint64_t>(std::countl_zero(v[0])); });
  check("brev.b64 %rd20, %rd10;", edges_64, 1, "%rd20", [](const words& v) {
    std::uint64_t r = 0;
    for (int i = 0; i < 64; ++i) r |= ((v[0] >> i) & 1) << (63 - i);
    return r;
  });
  check("brev.b32 %r20, %r10;", edges_32, 1, "%r20", [](const words& v) {
    std::uint64_t r = 0;
    for (int i = 0; i < 32; ++i) r |= ((v[0] >> i) & 1) << (31 - i);
    return r;
  });
  check("bfind.u32 %r20, %r10;", edges_32, 1, "%r20",
        [](const words& v) { return v[0] == 0 ? 0xffffffff : static_cast<std::uint64_t>(std::bit_width(v[0]) - 1); });
  check("bfind.s32 %r20, %r10;", edges_32, 1, "%r20", [](const words& v) {
    const auto a = u32(s32(v[0]) < 0 ? ~v[0] : v[0]);
    return a == 0 ? 0xffffffff : static_cast<std::uint64_t>(std::bit_width(a) - 1);
  });
  check("bfind.shiftamt.u64 %r20, %rd10;", edges_64, 1, "%r20",
        [](const words& v) { return v[0] == 0 ? 0xffffffff : static_cast<std::uint64_t>(64 - std::bit_width(v[0])); });
  check("prmt.b32 %r20, %r10, %r11, %r12;", {0x80c0e0ff, 0x12345678, 0x7654, 0x0123, 0xfedc, 0x3210}, 3, "%r20",
        [](const words& v) {
          const std::uint64_t both = v[0] | (v[1] << 32);
          std::uint64_t r = 0;
          for (int i = 0; i < 4; ++i) {
            const auto selector = (v[2] >> (4 * i)) & 15;
            std::uint64_t byte = (both >> (8 * (selector & 7))) & 0xff;
            if (selector & 8) byte = byte & 0x80 ? 0xff : 0;
            r |= byte << (8 * i);
          }
          return r;
        });
  // Source: PTX ISA 9.0, 9.7.8.7, table of modes: bytes 3, 2, 1, 0 of the result for c = 0 … 3.
  struct mode {
    const char* name;
    int bytes[4][4];
  };
  const mode modes[] = {{"f4e", {{3, 2, 1, 0}, {4, 3, 2, 1}, {5, 4, 3, 2}, {6, 5, 4, 3}}},
                        {"b4e", {{5, 6, 7, 0}, {6, 7, 0, 1}, {7, 0, 1, 2}, {0, 1, 2, 3}}},
                        {"rc8", {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}}},
                        {"ecl", {{3, 2, 1, 0}, {3, 2, 1, 1}, {3, 2, 2, 2}, {3, 3, 3, 3}}},
                        {"ecr", {{0, 0, 0, 0}, {1, 1, 1, 0}, {2, 2, 1, 0}, {3, 2, 1, 0}}},
                        {"rc16", {{1, 0, 1, 0}, {3, 2, 3, 2}, {1, 0, 1, 0}, {3, 2, 3, 2}}}};
  for (const mode& m : modes)
    check(std::string("prmt.b32.") + m.name + " %r20, 0x33221100, 0x77665544, %r10;", {0, 1, 2, 3}, 1, "%r20",
          [&](const words& v) {
            std::uint64_t r = 0;
            for (int i = 0; i < 4; ++i) r = (r << 8) | static_cast<std::uint64_t>(0x11 * m.bytes[v[0]][i]);
            return r;
          });
}

TEST_CASE("comparisons of integers") {
  struct how {
    const char* name;
    bool (*is)(std::int64_t, std::int64_t);
  };
  const how orders[] = {{"eq", [](auto a, auto b) { return a == b; }}, {"ne", [](auto a, auto b) { return a != b; }},
                        {"lt", [](auto a, auto b) { return a < b; }},  {"le", [](auto a, auto b) { return a <= b; }},
                        {"gt", [](auto a, auto b) { return a > b; }},  {"ge", [](auto a, auto b) { return a >= b; }}};
  for (const how& o : orders) {
    const std::string n = o.name;
    check("setp." + n + ".s32 %p9, %r10, %r11;", edges_32, 2, "%p9",
          [&](const words& v) { return o.is(s32(v[0]), s32(v[1])); });
    check("setp." + n + ".u32 %p9, %r10, %r11;", edges_32, 2, "%p9",
          [&](const words& v) { return o.is(s64(v[0]), s64(v[1])); });
    check("setp." + n + ".s16 %p9, %h10, %h11;", edges_16, 2, "%p9",
          [&](const words& v) { return o.is(s16(v[0]), s16(v[1])); });
    check("setp." + n + ".u16 %p9, %h10, %h11;", edges_16, 2, "%p9",
          [&](const words& v) { return o.is(s64(v[0]), s64(v[1])); });
    check("setp." + n + ".s64 %p9, %rd10, %rd11;", edges_64, 2, "%p9",
          [&](const words& v) { return o.is(s64(v[0]), s64(v[1])); });
    check("setp." + n + ".u64 %p9, %rd10, %rd11;", edges_64, 2, "%p9", [&](const words& v) {
      const auto flip = std::uint64_t{1} << 63;
      return o.is(s64(v[0] ^ flip), s64(v[1] ^ flip));
    });
  }
  check("setp.lo.u32 %p9, %r10, %r11;", edges_32, 2, "%p9", [](const words& v) { return v[0] < v[1]; });
  check("setp.hs.u32 %p9, %r10, %r11;", edges_32, 2, "%p9", [](const words& v) { return v[0] >= v[1]; });
}

TEST_CASE("comparisons of floats know NaN") {
  struct how {
    const char* name;
    bool (*is)(double, double);
  };
  const how orders[] = {{"eq", [](double a, double b) { return a == b; }},
                        {"ne", [](double a, double b) { return a < b || a > b; }},
                        {"lt", [](double a, double b) { return a < b; }},
                        {"le", [](double a, double b) { return a <= b; }},
                        {"gt", [](double a, double b) { return a > b; }},
                        {"ge", [](double a, double b) { return a >= b; }},
                        {"equ", [](double a, double b) { return !(a < b || a > b); }},
                        {"neu", [](double a, double b) { return !(a == b); }},
                        {"ltu", [](double a, double b) { return !(a >= b); }},
                        {"leu", [](double a, double b) { return !(a > b); }},
                        {"gtu", [](double a, double b) { return !(a <= b); }},
                        {"geu", [](double a, double b) { return !(a < b); }},
                        {"num", [](double a, double b) { return a == a && b == b; }},
                        {"nan", [](double a, double b) { return a != a || b != b; }}};
  for (const how& o : orders) {
    const std::string n = o.name;
    check("setp." + n + ".f32 %p9, %f10, %f11;", edges_f32, 2, "%p9",
          [&](const words& v) { return o.is(to_f32(v[0]), to_f32(v[1])); });
    check("setp." + n + ".f64 %p9, %fd10, %fd11;", edges_f64, 2, "%p9",
          [&](const words& v) { return o.is(to_f64(v[0]), to_f64(v[1])); });
    check("setp." + n + ".ftz.f32 %p9, %f10, %f11;", edges_f32, 2, "%p9", [&](const words& v) {
      const auto flush = [](float a) { return std::fpclassify(a) == FP_SUBNORMAL ? 0.0f : a; };
      return o.is(flush(to_f32(v[0])), flush(to_f32(v[1])));
    });
  }
  CHECK_EQ(evaluate("setp.lt.f16 %p9, %h10, %h11;", {{0xc000, 0x3c00}}, "%p9")[0], 1);
}

TEST_CASE("a comparison joined with a predicate, and its complement") {
  const std::string before = "setp.lt.s32 %p1, %r12, 0; ";
  check(before + "setp.lt.and.s32 %p9|%p8, %r10, %r11, %p1;", edges_32, 3, "%p9",
        [](const words& v) { return s32(v[0]) < s32(v[1]) && s32(v[2]) < 0; });
  check(before + "setp.lt.and.s32 %p8|%p9, %r10, %r11, %p1;", edges_32, 3, "%p9",
        [](const words& v) { return !(s32(v[0]) < s32(v[1])) && s32(v[2]) < 0; });
  check(before + "setp.eq.or.s32 %p9, %r10, %r11, !%p1;", edges_32, 3, "%p9",
        [](const words& v) { return v[0] == v[1] || s32(v[2]) >= 0; });
  check(before + "setp.eq.xor.s32 %p1|%p9, %r10, %r11, %p1;", edges_32, 3, "%p9",
        [](const words& v) { return (v[0] != v[1]) != (s32(v[2]) < 0); });
  check(before + "@%p1 setp.eq.s32 %p1|%p9, %r10, %r11; @!%p1 mov.pred %p9, %p9;", {1, 0x80000000}, 3, "%p1",
        [](const words& v) { return s32(v[2]) < 0 && v[0] == v[1]; });
}

TEST_CASE("set, select and test") {
  check("set.lt.u32.s32 %r20, %r10, %r11;", edges_32, 2, "%r20",
        [](const words& v) { return s32(v[0]) < s32(v[1]) ? 0xffffffff : 0; });
  check("set.gt.f32.f32 %f19, %f10, %f11;", edges_f32, 2, "%f19",
        [](const words& v) { return to_f32(v[0]) > to_f32(v[1]) ? 0x3f800000 : 0; });
  check("setp.gt.u32 %p1, %r10, %r11; selp.b64 %rd20, %rd10, %rd11, %p1;", edges_32, 2, "%rd20",
        [](const words& v) { return std::max(v[0], v[1]); });
  check("setp.gt.u32 %p1, %r10, %r11; selp.b32 %r20, 7, %r11, %p1;", edges_32, 2, "%r20",
        [](const words& v) { return v[0] > v[1] ? 7 : v[1]; });
  check("slct.u32.s32 %r20, %r10, %r11, %r12;", edges_32, 3, "%r20",
        [](const words& v) { return s32(v[2]) >= 0 ? v[0] : v[1]; });
  check("slct.f32.f32 %f19, %f10, %f11, %f12;", edges_f32, 3, "%f19",
        [](const words& v) { return to_f32(v[2]) >= 0 ? v[0] : v[1]; });
  check("testp.subnormal.f32 %p9, %f10;", edges_f32, 1, "%p9",
        [](const words& v) { return std::fpclassify(to_f32(v[0])) == FP_SUBNORMAL; });
  check("testp.normal.f64 %p9, %fd10;", edges_f64, 1, "%p9",
        [](const words& v) { return std::isnormal(to_f64(v[0])) || to_f64(v[0]) == 0; });
  check("testp.infinite.f32 %p9, %f10;", edges_f32, 1, "%p9", [](const words& v) { return std::isinf(to_f32(v[0])); });
  check("testp.notanumber.f32 %p9, %f10;", edges_f32, 1, "%p9", [](const words& v) { return std::isnan(to_f32(v[0])); });
  check("testp.finite.f32 %p9, %f10;", edges_f32, 1, "%p9", [](const words& v) { return std::isfinite(to_f32(v[0])); });
}

TEST_CASE("predicates are logic values") {
  check("setp.ne.s32 %p1, %r10, 0; setp.ne.s32 %p2, %r11, 0; xor.pred %p9, %p1, %p2;", {0, 1}, 2, "%p9",
        [](const words& v) { return v[0] != v[1]; });
  check("setp.ne.s32 %p1, %r10, 0; not.pred %p9, %p1;", {0, 1}, 1, "%p9", [](const words& v) { return v[0] == 0; });
  check("setp.ne.s32 %p1, %r10, 0; setp.ne.s32 %p2, %r11, 0; and.pred %p9, %p1, %p2;", {0, 1}, 2, "%p9",
        [](const words& v) { return v[0] && v[1]; });
}

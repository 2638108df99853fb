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
     [](const words& v) { return v[1] == 0 ? 0xffffffffu : cut(wide(v[0], 32, true) % wide(v[1], 32, true), 32); }},
    {"rem.u64 %rd20, %rd10, %rd11;", 64, "%rd20", 2,
     [](const words& v) { return v[1] == 0 ? ~std::uint64_t{0} : v[0] % v[1]; }},
    {"rem.s64 %rd20, %rd10, %rd11;", 64, "%rd20", 2,
     [](const words& v) { return v[1] == 0 ? ~std::uint64_t{0} : cut(wide(v[0], 64, true) % wide(v[1], 64, true), 64); }},
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

TEST_CASE("operands that the emulator does not have are refused with their line") {
  const std::string text = failure([] { evaluate("mov.u32 %r20, %envreg3;", {{1}}, "%r20"); });
  CHECK(has(text, "TG400"));
  CHECK(has(text, "mov.u32"));
  CHECK(has(text, "PTX line"));
}

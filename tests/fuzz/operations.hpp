// The instructions that random kernels are made of, with their results on the host: written from the PTX ISA, apart
// from everything that the emulator computes with.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "program.hpp"

namespace fuzz {

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;
__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;

inline float f(u64 x) { return std::bit_cast<float>(static_cast<u32>(x)); }
inline double d(u64 x) { return std::bit_cast<double>(x); }
inline u64 bits(float x) { return std::bit_cast<u32>(x); }
inline u64 bits(double x) { return std::bit_cast<u64>(x); }

template <class T> T shifted_right(u64 a, u64 by) {
  const T x = static_cast<T>(a);
  const u32 n = static_cast<u32>(by);
  if (n >= sizeof(T) * 8) return x < 0 ? static_cast<T>(-1) : T{0};
  return static_cast<T>(x >> n);
}
template <class T> T shifted_left(u64 a, u64 by) {
  const u32 n = static_cast<u32>(by);
  return n >= sizeof(T) * 8 ? T{0} : static_cast<T>(static_cast<u64>(static_cast<T>(a)) << n);
}
template <class T> u64 quotient(u64 a, u64 b) {
  const T x = static_cast<T>(a), y = static_cast<T>(b);
  if (y == 0) return ~u64{0};
  if (y == static_cast<T>(-1) && x == std::numeric_limits<T>::min() && std::numeric_limits<T>::is_signed) return a;
  return static_cast<u64>(x / y);
}
template <class T> u64 remainder(u64 a, u64 b) {
  const T x = static_cast<T>(a), y = static_cast<T>(b);
  if (y == 0) return ~u64{0};
  if (y == static_cast<T>(-1) && std::numeric_limits<T>::is_signed) return 0;
  return static_cast<u64>(x % y);
}
template <class T> u64 smaller(u64 a, u64 b) {
  return static_cast<u64>(static_cast<T>(a) < static_cast<T>(b) ? static_cast<T>(a) : static_cast<T>(b));
}
template <class T> u64 larger(u64 a, u64 b) {
  return static_cast<u64>(static_cast<T>(a) < static_cast<T>(b) ? static_cast<T>(b) : static_cast<T>(a));
}
/// bfe: `length` bits from `start`, extended; past the end the sign or zeros.
template <class T> u64 field(u64 a, u64 start, u64 length) {
  constexpr int width = sizeof(T) * 8;
  const int from = static_cast<int>(start & 0xff), n = static_cast<int>(length & 0xff);
  if (n == 0) return 0;
  const int last = from + n - 1 < width ? from + n - 1 : width - 1;
  const bool is_negative = std::numeric_limits<T>::is_signed && ((a >> last) & 1);
  u64 out = 0;
  for (int k = 0; k < width; ++k) {
    const bool bit = k < n && from + k < width ? (a >> (from + k)) & 1 : is_negative;
    out |= u64{bit} << k;
  }
  return out;
}
template <class T> u64 inserted(u64 a, u64 b, u64 start, u64 length) {
  constexpr u64 width = sizeof(T) * 8;
  u64 out = b;
  for (u64 k = 0; k < (length & 0xff) && (start & 0xff) + k < width && k < width; ++k) {
    const u64 to = (start & 0xff) + k;
    out = (out & ~(u64{1} << to)) | (((a >> k) & 1) << to);
  }
  return out;
}
inline u64 reversed(u64 a, int width) {
  u64 out = 0;
  for (int k = 0; k < width; ++k) out |= ((a >> k) & 1) << (width - 1 - k);
  return out;
}
/// bfind: the place of the highest bit that differs from the sign; ~0 when there is none.
template <class T> u64 highest_bit(u64 a) {
  T x = static_cast<T>(a);
  if (x < 0) x = static_cast<T>(~x);
  u32 at = ~u32{0};
  for (u32 k = 0; k < sizeof(T) * 8; ++k)
    if ((static_cast<u64>(x) >> k) & 1) at = k;
  return at;
}
inline u64 permuted(u64 a, u64 b, u64 how) {
  const u64 bytes = (b << 32) | (a & 0xffffffff);
  u64 out = 0;
  for (int k = 0; k < 4; ++k) {
    const u64 pick = (how >> (4 * k)) & 0xf;
    u64 byte = (bytes >> (8 * (pick & 7))) & 0xff;
    if (pick & 8) byte = byte & 0x80 ? 0xff : 0;
    out |= byte << (8 * k);
  }
  return out;
}
/// Float to integer, towards zero, clamped. NaN is 0, or the top bit alone where it was an f64 or the integer has 64 bits.
/// Source: PTX ISA 9.0, 9.7.9.22, cvt.
template <class T, class F> u64 truncated(F from) {
  if (std::isnan(from)) return sizeof(F) == 8 || sizeof(T) == 8 ? u64{1} << (8 * sizeof(T) - 1) : 0;
  const double x = std::trunc(from);
  if (x <= static_cast<double>(std::numeric_limits<T>::min())) return static_cast<u64>(std::numeric_limits<T>::min());
  if (x >= static_cast<double>(std::numeric_limits<T>::max())) return static_cast<u64>(std::numeric_limits<T>::max());
  return static_cast<u64>(static_cast<T>(x));
}
template <class T> u64 dot(u64 a, u64 b, u64 c) {
  u32 sum = static_cast<u32>(c);
  for (int k = 0; k < 4; ++k)
    sum += static_cast<u32>(static_cast<s32>(static_cast<T>(a >> (8 * k))) * static_cast<s32>(static_cast<T>(b >> (8 * k))));
  return sum;
}
/// min and max of PTX: a number wins over NaN, -0 is below +0.
template <class F> F least(F a, F b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

inline constexpr operation operations[] = {
    {"add.u16", "hhh", [](u64 a, u64 b, u64, u64) { return a + b; }},
    {"sub.s16", "hhh", [](u64 a, u64 b, u64, u64) { return a - b; }},
    {"mul.lo.s16", "hhh", [](u64 a, u64 b, u64, u64) { return a * b; }},
    {"mul.hi.u16", "hhh", [](u64 a, u64 b, u64, u64) { return (a * b) >> 16; }},
    {"mul.hi.s16", "hhh", [](u64 a, u64 b, u64, u64) { return static_cast<u64>((s32{s16(a)} * s32{s16(b)}) >> 16); }},
    {"mul.wide.s16", "rhh", [](u64 a, u64 b, u64, u64) { return static_cast<u64>(s32{s16(a)} * s32{s16(b)}); }},
    {"mad.wide.u16", "rhhr", [](u64 a, u64 b, u64 c, u64) { return a * b + c; }},
    {"div.s16", "hhh", [](u64 a, u64 b, u64, u64) { return quotient<s16>(a, b); }},
    {"min.s16", "hhh", [](u64 a, u64 b, u64, u64) { return smaller<s16>(a, b); }},
    {"max.u16", "hhh", [](u64 a, u64 b, u64, u64) { return larger<u16>(a, b); }},
    {"shr.s16", "hhr", [](u64 a, u64 b, u64, u64) { return u64(shifted_right<s16>(a, b)); }},
    {"shl.b16", "hhr", [](u64 a, u64 b, u64, u64) { return u64{shifted_left<u16>(a, b)}; }},
    {"not.b16", "hh", [](u64 a, u64, u64, u64) { return ~a; }},
    {"abs.s16", "hh", [](u64 a, u64, u64, u64) { return s16(a) < 0 ? 0 - a : a; }},
    {"add.s32", "rrr", [](u64 a, u64 b, u64, u64) { return a + b; }},
    {"sub.u32", "rrr", [](u64 a, u64 b, u64, u64) { return a - b; }},
    {"add.sat.s32", "rrr",
     [](u64 a, u64 b, u64, u64) {
       const s64 sum = s64{s32(a)} + s32(b);
       return static_cast<u64>(sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum);
     }},
    {"mul.lo.u32", "rrr", [](u64 a, u64 b, u64, u64) { return a * b; }},
    {"mul.hi.s32", "rrr", [](u64 a, u64 b, u64, u64) { return static_cast<u64>((s64{s32(a)} * s32(b)) >> 32); }},
    {"mul.hi.u32", "rrr", [](u64 a, u64 b, u64, u64) { return (a * b) >> 32; }},
    {"mul.wide.s32", "lrr", [](u64 a, u64 b, u64, u64) { return static_cast<u64>(s64{s32(a)} * s32(b)); }},
    {"mad.wide.u32", "lrrl", [](u64 a, u64 b, u64 c, u64) { return a * b + c; }},
    {"mad.lo.s32", "rrrr", [](u64 a, u64 b, u64 c, u64) { return a * b + c; }},
    {"mad.hi.u32", "rrrr", [](u64 a, u64 b, u64 c, u64) { return ((a * b) >> 32) + c; }},
    {"mul24.lo.u32", "rrr", [](u64 a, u64 b, u64, u64) { return (a & 0xffffff) * (b & 0xffffff); }},
    {"sad.u32", "rrrr", [](u64 a, u64 b, u64 c, u64) { return (a < b ? b - a : a - b) + c; }},
    {"div.u32", "rrr", [](u64 a, u64 b, u64, u64) { return quotient<u32>(a, b); }},
    {"div.s32", "rrr", [](u64 a, u64 b, u64, u64) { return quotient<s32>(a, b); }},
    {"rem.u32", "rrr", [](u64 a, u64 b, u64, u64) { return remainder<u32>(a, b); }},
    {"rem.s32", "rrr", [](u64 a, u64 b, u64, u64) { return remainder<s32>(a, b); }},
    {"min.s32", "rrr", [](u64 a, u64 b, u64, u64) { return smaller<s32>(a, b); }},
    {"max.u32", "rrr", [](u64 a, u64 b, u64, u64) { return larger<u32>(a, b); }},
    {"and.b32", "rrr", [](u64 a, u64 b, u64, u64) { return a & b; }},
    {"or.b32", "rrr", [](u64 a, u64 b, u64, u64) { return a | b; }},
    {"xor.b32", "rrr", [](u64 a, u64 b, u64, u64) { return a ^ b; }},
    {"not.b32", "rr", [](u64 a, u64, u64, u64) { return ~a; }},
    {"neg.s32", "rr", [](u64 a, u64, u64, u64) { return 0 - a; }},
    {"abs.s32", "rr", [](u64 a, u64, u64, u64) { return s32(a) < 0 ? 0 - a : a; }},
    {"cnot.b32", "rr", [](u64 a, u64, u64, u64) { return u64{a == 0}; }},
    {"shl.b32", "rrr", [](u64 a, u64 b, u64, u64) { return u64{shifted_left<u32>(a, b)}; }},
    {"shr.u32", "rrr", [](u64 a, u64 b, u64, u64) { return u64{shifted_right<u32>(a, b)}; }},
    {"shr.s32", "rrr", [](u64 a, u64 b, u64, u64) { return u64(shifted_right<s32>(a, b)); }},
    {"shf.l.wrap.b32", "rrrr", [](u64 a, u64 b, u64 c, u64) { return (((b << 32) | a) << (c & 31)) >> 32; }},
    {"shf.r.clamp.b32", "rrrr", [](u64 a, u64 b, u64 c, u64) { return ((b << 32) | a) >> (c < 32 ? c : 32); }},
    {"prmt.b32", "rrrr", [](u64 a, u64 b, u64 c, u64) { return permuted(a, b, c); }},
    {"popc.b32", "rr", [](u64 a, u64, u64, u64) { return u64(std::popcount(a)); }},
    {"clz.b32", "rr", [](u64 a, u64, u64, u64) { return u64(std::countl_zero(u32(a))); }},
    {"brev.b32", "rr", [](u64 a, u64, u64, u64) { return reversed(a, 32); }},
    {"bfind.s32", "rr", [](u64 a, u64, u64, u64) { return highest_bit<s32>(a); }},
    {"bfind.u32", "rr", [](u64 a, u64, u64, u64) { return highest_bit<u32>(a); }},
    {"bfe.u32", "rrrr", [](u64 a, u64 b, u64 c, u64) { return field<u32>(a, b, c); }},
    {"bfe.s32", "rrrr", [](u64 a, u64 b, u64 c, u64) { return field<s32>(a, b, c); }},
    {"bfi.b32", "rrrrr", inserted<u32>},
    {"dp4a.s32.s32", "rrrr", [](u64 a, u64 b, u64 c, u64) { return dot<std::int8_t>(a, b, c); }},
    {"dp4a.u32.u32", "rrrr", [](u64 a, u64 b, u64 c, u64) { return dot<std::uint8_t>(a, b, c); }},
    {"lop3.b32", "rrrr8",
     [](u64 a, u64 b, u64 c, u64 table) {
       u64 out = 0;
       for (int k = 0; k < 32; ++k)
         out |= ((table >> ((((a >> k) & 1) << 2) | (((b >> k) & 1) << 1) | ((c >> k) & 1))) & 1) << k;
       return out;
     }},
    {"selp.b32", "rrrp", [](u64 a, u64 b, u64 p, u64) { return p != 0 ? a : b; }},
    {"slct.u32.s32", "rrrr", [](u64 a, u64 b, u64 c, u64) { return s32(c) >= 0 ? a : b; }},
    {"add.s64", "lll", [](u64 a, u64 b, u64, u64) { return a + b; }},
    {"sub.s64", "lll", [](u64 a, u64 b, u64, u64) { return a - b; }},
    {"mul.lo.s64", "lll", [](u64 a, u64 b, u64, u64) { return a * b; }},
    {"mul.hi.u64", "lll", [](u64 a, u64 b, u64, u64) { return static_cast<u64>((u128{a} * b) >> 64); }},
    {"mul.hi.s64", "lll", [](u64 a, u64 b, u64, u64) { return static_cast<u64>((s128{s64(a)} * s64(b)) >> 64); }},
    {"div.u64", "lll", [](u64 a, u64 b, u64, u64) { return quotient<u64>(a, b); }},
    {"div.s64", "lll", [](u64 a, u64 b, u64, u64) { return quotient<s64>(a, b); }},
    {"rem.u64", "lll", [](u64 a, u64 b, u64, u64) { return remainder<u64>(a, b); }},
    {"rem.s64", "lll", [](u64 a, u64 b, u64, u64) { return remainder<s64>(a, b); }},
    {"min.s64", "lll", [](u64 a, u64 b, u64, u64) { return smaller<s64>(a, b); }},
    {"max.u64", "lll", [](u64 a, u64 b, u64, u64) { return larger<u64>(a, b); }},
    {"xor.b64", "lll", [](u64 a, u64 b, u64, u64) { return a ^ b; }},
    {"and.b64", "lll", [](u64 a, u64 b, u64, u64) { return a & b; }},
    {"shl.b64", "llr", [](u64 a, u64 b, u64, u64) { return shifted_left<u64>(a, b); }},
    {"shr.u64", "llr", [](u64 a, u64 b, u64, u64) { return shifted_right<u64>(a, b); }},
    {"shr.s64", "llr", [](u64 a, u64 b, u64, u64) { return u64(shifted_right<s64>(a, b)); }},
    {"popc.b64", "rl", [](u64 a, u64, u64, u64) { return u64(std::popcount(a)); }},
    {"clz.b64", "rl", [](u64 a, u64, u64, u64) { return u64(std::countl_zero(a)); }},
    {"brev.b64", "ll", [](u64 a, u64, u64, u64) { return reversed(a, 64); }},
    {"bfe.s64", "llrr", [](u64 a, u64 b, u64 c, u64) { return field<s64>(a, b, c); }},
    {"bfi.b64", "lllrr", inserted<u64>},
    {"selp.b64", "lllp", [](u64 a, u64 b, u64 p, u64) { return p != 0 ? a : b; }},
    {"cvt.u32.u16", "rh", [](u64 a, u64, u64, u64) { return a; }},
    {"cvt.s32.s16", "rh", [](u64 a, u64, u64, u64) { return u64(s64{s16(a)}); }},
    {"cvt.s32.s8", "rr", [](u64 a, u64, u64, u64) { return u64(s64{static_cast<std::int8_t>(a)}); }},
    {"cvt.u16.u32", "hr", [](u64 a, u64, u64, u64) { return a; }},
    {"cvt.sat.s16.s32", "hr",
     [](u64 a, u64, u64, u64) { return u64(s32(a) > 32767    ? 32767
                                           : s32(a) < -32768 ? -32768
                                                             : s32(a)); }},
    {"cvt.s64.s32", "lr", [](u64 a, u64, u64, u64) { return u64(s64{s32(a)}); }},
    {"cvt.u64.u32", "lr", [](u64 a, u64, u64, u64) { return a; }},
    {"cvt.u32.u64", "rl", [](u64 a, u64, u64, u64) { return a; }},
    {"cvt.sat.u32.s64", "rl",
     [](u64 a, u64, u64, u64) { return s64(a) < 0            ? u64{0}
                                       : s64(a) > UINT32_MAX ? u64{UINT32_MAX}
                                                             : a; }},
    {"cvt.rn.f32.s32", "fr", [](u64 a, u64, u64, u64) { return bits(static_cast<float>(s32(a))); }},
    {"cvt.rn.f32.u64", "fl", [](u64 a, u64, u64, u64) { return bits(static_cast<float>(a)); }},
    {"cvt.rn.f64.s64", "dl", [](u64 a, u64, u64, u64) { return bits(static_cast<double>(s64(a))); }},
    {"cvt.f64.f32", "df", [](u64 a, u64, u64, u64) { return bits(static_cast<double>(f(a))); }},
    {"cvt.rn.f32.f64", "fd", [](u64 a, u64, u64, u64) { return bits(static_cast<float>(d(a))); }},
    {"cvt.rzi.s32.f32", "rf", [](u64 a, u64, u64, u64) { return truncated<s32>(f(a)); }},
    {"cvt.rzi.u32.f64", "rd", [](u64 a, u64, u64, u64) { return truncated<u32>(d(a)); }},
    {"add.rn.f32", "fff", [](u64 a, u64 b, u64, u64) { return bits(f(a) + f(b)); }},
    {"sub.rn.f32", "fff", [](u64 a, u64 b, u64, u64) { return bits(f(a) - f(b)); }},
    {"mul.rn.f32", "fff", [](u64 a, u64 b, u64, u64) { return bits(f(a) * f(b)); }},
    {"fma.rn.f32", "ffff", [](u64 a, u64 b, u64 c, u64) { return bits(std::fma(f(a), f(b), f(c))); }},
    {"div.rn.f32", "fff", [](u64 a, u64 b, u64, u64) { return bits(f(a) / f(b)); }},
    {"sqrt.rn.f32", "ff", [](u64 a, u64, u64, u64) { return bits(std::sqrt(f(a))); }},
    {"min.f32", "fff", [](u64 a, u64 b, u64, u64) { return bits(least(f(a), f(b))); }},
    {"max.f32", "fff", [](u64 a, u64 b, u64, u64) { return bits(-least(-f(a), -f(b))); }},
    {"neg.f32", "ff", [](u64 a, u64, u64, u64) { return a ^ 0x80000000u; }},
    {"abs.f32", "ff", [](u64 a, u64, u64, u64) { return a & 0x7fffffffu; }},
    {"selp.f32", "fffp", [](u64 a, u64 b, u64 p, u64) { return p != 0 ? a : b; }},
    {"add.rn.f64", "ddd", [](u64 a, u64 b, u64, u64) { return bits(d(a) + d(b)); }},
    {"mul.rn.f64", "ddd", [](u64 a, u64 b, u64, u64) { return bits(d(a) * d(b)); }},
    {"fma.rn.f64", "dddd", [](u64 a, u64 b, u64 c, u64) { return bits(std::fma(d(a), d(b), d(c))); }},
    {"div.rn.f64", "ddd", [](u64 a, u64 b, u64, u64) { return bits(d(a) / d(b)); }},
    {"setp.lt.s32", "prr", [](u64 a, u64 b, u64, u64) { return u64{s32(a) < s32(b)}; }},
    {"setp.hs.u32", "prr", [](u64 a, u64 b, u64, u64) { return u64{a >= b}; }},
    {"setp.eq.u64", "pll", [](u64 a, u64 b, u64, u64) { return u64{a == b}; }},
    {"setp.gt.s16", "phh", [](u64 a, u64 b, u64, u64) { return u64{s16(a) > s16(b)}; }},
    {"setp.le.f32", "pff", [](u64 a, u64 b, u64, u64) { return u64{f(a) <= f(b)}; }},
    {"setp.neu.f64", "pdd", [](u64 a, u64 b, u64, u64) { return u64{!(d(a) == d(b))}; }},
    {"setp.num.f32", "pff", [](u64 a, u64 b, u64, u64) { return u64{!std::isnan(f(a)) && !std::isnan(f(b))}; }},
    {"setp.lt.and.u32", "prrp", [](u64 a, u64 b, u64 p, u64) { return u64{a < b && p != 0}; }},
    {"and.pred", "ppp", [](u64 a, u64 b, u64, u64) { return a & b; }},
    {"xor.pred", "ppp", [](u64 a, u64 b, u64, u64) { return a ^ b; }},
    {"not.pred", "pp", [](u64 a, u64, u64, u64) { return a ^ 1; }},
};

}  // namespace fuzz

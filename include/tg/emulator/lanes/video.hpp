// The video instructions of one lane, and the search for the n-th set bit. Included once per vector unit, inside its
// namespace and target.
#include <tg/emulator/lanes/bits.hpp>

using tg::emulator::video_recipe;

/// Element `k` of `count` equal parts of `a`.
TG_ALWAYS_INLINE int64_t video_element(uint32_t a, uint32_t count, uint32_t k, bool is_signed) {
  if (count == 1) return is_signed ? int64_t{static_cast<int32_t>(a)} : int64_t{a};
  if (count == 2) {
    const uint32_t part = a >> (16 * k);
    return is_signed ? int64_t{static_cast<int16_t>(part)} : int64_t{static_cast<uint16_t>(part)};
  }
  const uint32_t part = a >> (8 * k);
  return is_signed ? int64_t{static_cast<int8_t>(part)} : int64_t{static_cast<uint8_t>(part)};
}

TG_ALWAYS_INLINE __int128_t video_clamped(__int128_t value, uint32_t bits, bool is_signed) {
  const __int128_t one = 1, low = is_signed ? -(one << (bits - 1)) : 0, high = (one << (is_signed ? bits - 1 : bits)) - 1;
  return value < low ? low : value > high ? high : value;
}

/// Source: PTX ISA 9.0, 9.7.18 and 9.7.19.
struct video_op {
  static __int128_t element(const video_recipe& r, int64_t a, int64_t b) {
    using how = video_recipe::operation;
    switch (r.how) {
      case how::add: return a + b;
      case how::sub: return a - b;
      case how::absdiff: return a < b ? b - a : a - b;
      case how::min: return a < b ? a : b;
      case how::max: return a > b ? a : b;
      case how::average: return (a + b + (a + b >= 0)) >> 1;
      case how::shl: return static_cast<__int128_t>(a) * (int64_t{1} << (b & 63));  // lanes that take no part may hold any b
      case how::shr: return a >> (b & 63);
      case how::eq: return a == b;
      case how::ne: return a != b;
      case how::lt: return a < b;
      case how::le: return a <= b;
      case how::gt: return a > b;
      case how::ge: return a >= b;
      case how::mad: return static_cast<__int128_t>(a) * b;
    }
    return 0;
  }

  static uint32_t of(uint32_t a, uint32_t b, uint32_t c, uint32_t coded) {
    const video_recipe r = video_recipe::from(coded);
    const uint32_t count = r.elements, width = 32 / count;
    uint32_t total = c, joined = 0;
    for (uint32_t k = 0; k < count; ++k) {
      const uint32_t field = low_ones<uint32_t>(width) << (width * k);
      if (((r.mask >> k) & 1) == 0) {
        joined |= c & field;
        continue;
      }
      __int128_t value = element(r, video_element(a, count, k, r.a_signed), video_element(b, count, k, r.b_signed));
      if (r.how == video_recipe::operation::mad) {
        const int64_t third = video_element(c, 1, 0, r.a_signed || r.b_signed || r.negates_product);
        value = ((r.negates_product ? -value : value) + (r.negates_c ? -third : third) + r.adds_one) >> r.scale;
      }
      if (r.saturates) value = video_clamped(value, r.clamp_bits, r.d_signed);
      total += static_cast<uint32_t>(value);
      joined |= (static_cast<uint32_t>(value) << (width * k)) & field;
    }
    return r.accumulates ? total : joined;
  }
};

/// fns: where the n-th set bit from `base` on stands, backwards where n < 0, `base` itself where n = 0; else ~0.
struct fns_op {
  TG_ALWAYS_INLINE static uint32_t of(uint32_t mask, uint32_t base, uint32_t offset) {
    const auto n = static_cast<int32_t>(offset);
    int64_t left = n < 0 ? -int64_t{n} : n == 0 ? 1 : int64_t{n};
    for (int32_t at = static_cast<int32_t>(base & 31); at >= 0 && at < 32; at += n < 0 ? -1 : 1) {
      if ((mask >> at) & 1 && --left == 0) return static_cast<uint32_t>(at);
      if (n == 0) break;
    }
    return ~uint32_t{0};
  }
};

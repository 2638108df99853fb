// Bit fields, counts and byte permutations of one lane. Included once per vector unit, inside its namespace and target.
#include <tg/emulator/lanes/integer.hpp>

struct popc_op {
  template <class T> TG_ALWAYS_INLINE static uint32_t of(T a) { return static_cast<uint32_t>(__builtin_popcountll(a)); }
};
struct clz_op {
  template <class T> TG_ALWAYS_INLINE static uint32_t of(T a) {
    constexpr uint32_t bits = 8 * sizeof(T);
    return a == 0 ? bits : static_cast<uint32_t>(__builtin_clzll(a)) - (64 - bits);
  }
};

struct brev_op {
  TG_ALWAYS_INLINE static uint32_t of(uint32_t a) {
    a = ((a >> 1) & 0x55555555u) | ((a & 0x55555555u) << 1);
    a = ((a >> 2) & 0x33333333u) | ((a & 0x33333333u) << 2);
    a = ((a >> 4) & 0x0f0f0f0fu) | ((a & 0x0f0f0f0fu) << 4);
    a = ((a >> 8) & 0x00ff00ffu) | ((a & 0x00ff00ffu) << 8);
    return (a >> 16) | (a << 16);
  }
  TG_ALWAYS_INLINE static uint64_t of(uint64_t a) {
    return (uint64_t{of(static_cast<uint32_t>(a))} << 32) | of(static_cast<uint32_t>(a >> 32));
  }
};

/// Position of the highest bit that differs from the sign; ~0 when there is none.
struct bfind_op {
  template <class T> TG_ALWAYS_INLINE static uint32_t of(T a) {
    using bits = typename integer_traits<T>::bits;
    const bits plain = static_cast<bits>(a < 0 ? ~a : a);
    return plain == 0 ? ~uint32_t{0} : 8 * sizeof(T) - 1 - clz_op::of(plain);
  }
};
/// The left shift that brings that bit to the top.
struct bfind_shift_op {
  template <class T> TG_ALWAYS_INLINE static uint32_t of(T a) {
    const uint32_t at = bfind_op::of(a);
    return at == ~uint32_t{0} ? at : 8 * sizeof(T) - 1 - at;
  }
};

template <class T> TG_ALWAYS_INLINE T low_ones(uint32_t count) {
  return count < 8 * sizeof(T) ? static_cast<T>((T{1} << count) - 1) : static_cast<T>(~T{0});
}

/// `length` bits of a from `position`; bits past the top read as the sign of the field.
struct bfe_op {
  template <class T> TG_ALWAYS_INLINE static T of(T a, uint32_t position, uint32_t length) {
    using bits = typename integer_traits<T>::bits;
    constexpr uint32_t width = 8 * sizeof(T);
    position &= 0xff;
    length &= 0xff;
    if (length == 0) return 0;
    const uint32_t last = position + length - 1 < width - 1 ? position + length - 1 : width - 1;
    const bits sign = integer_traits<T>::is_signed && ((static_cast<bits>(a) >> last) & 1) ? ~bits{0} : bits{0};
    const uint32_t rest = position < width ? width - position : 0;
    const bits known = low_ones<bits>(length < rest ? length : rest);
    return static_cast<T>((shr_op::of(static_cast<bits>(a), position) & known) | (sign & static_cast<bits>(~known)));
  }
};

/// b with `length` bits of a at `position`.
struct bfi_op {
  template <class T> TG_ALWAYS_INLINE static T of(T a, T b, uint32_t position, uint32_t length) {
    position &= 0xff;
    length &= 0xff;
    const T mask = shl_op::of(low_ones<T>(length), position);
    return (shl_op::of(a, position) & mask) | (b & ~mask);
  }
};

/// `length` ones from `position`, both clamped to 32.
struct bmsk_op {
  TG_ALWAYS_INLINE static uint32_t of(uint32_t position, uint32_t length) {
    return shl_op::of(low_ones<uint32_t>(length), position);
  }
};

struct pack_16_op {
  TG_ALWAYS_INLINE static uint32_t of(uint32_t low, uint32_t high) { return (low & 0xffffu) | (high << 16); }
};
struct pack_32_op {
  TG_ALWAYS_INLINE static uint64_t of(uint32_t low, uint32_t high) { return low | (uint64_t{high} << 32); }
};
struct high_32_op {
  TG_ALWAYS_INLINE static uint32_t of(uint64_t a) { return static_cast<uint32_t>(a >> 32); }
};

/// The 64 bits b:a shifted by c <= 32; left gives the upper half, right the lower.
/// Lanes that take no part may hold any c.
struct funnel_left_op {
  TG_ALWAYS_INLINE static uint32_t of(uint32_t a, uint32_t b, uint32_t c) {
    return static_cast<uint32_t>((pack_32_op::of(a, b) << (c & 63)) >> 32);
  }
};
struct funnel_right_op {
  TG_ALWAYS_INLINE static uint32_t of(uint32_t a, uint32_t b, uint32_t c) {
    return static_cast<uint32_t>(pack_32_op::of(a, b) >> (c & 63));
  }
};

/// Bit i of the table says the result for a, b, c = bits 2, 1, 0 of i.
struct lop3_op {
  TG_ALWAYS_INLINE static uint32_t of(uint32_t a, uint32_t b, uint32_t c, uint32_t table) {
    uint32_t r = 0;
    for (uint32_t i = 0; i < 8; ++i)
      r |= (uint32_t{0} - ((table >> i) & 1)) & ((i & 4) ? a : ~a) & ((i & 2) ? b : ~b) & ((i & 1) ? c : ~c);
    return r;
  }
};

/// Byte `selector & 7` of b:a; bit 3 spreads that byte's sign.
TG_ALWAYS_INLINE uint32_t permuted_byte(uint64_t bytes, uint32_t selector) {
  const uint32_t byte = static_cast<uint32_t>(bytes >> (8 * (selector & 7))) & 0xff;
  return (selector & 8) ? ((byte & 0x80) ? 0xffu : 0u) : byte;
}
struct prmt_op {
  TG_ALWAYS_INLINE static uint32_t of(uint32_t a, uint32_t b, uint32_t c) {
    const uint64_t bytes = pack_32_op::of(a, b);
    uint32_t r = 0;
    for (uint32_t i = 0; i < 4; ++i) r |= permuted_byte(bytes, c >> (4 * i)) << (8 * i);
    return r;
  }
};
/// prmt's named modes: byte i of the result is byte Mode::byte(i, c & 3).
template <class Mode> struct prmt_mode_op {
  TG_ALWAYS_INLINE static uint32_t of(uint32_t a, uint32_t b, uint32_t c) {
    const uint64_t bytes = pack_32_op::of(a, b);
    uint32_t r = 0;
    for (uint32_t i = 0; i < 4; ++i) r |= permuted_byte(bytes, Mode::byte(i, c & 3) & 7) << (8 * i);
    return r;
  }
};
struct forward_4 {
  TG_ALWAYS_INLINE static uint32_t byte(uint32_t i, uint32_t c) { return c + i; }
};
struct backward_4 {
  TG_ALWAYS_INLINE static uint32_t byte(uint32_t i, uint32_t c) { return c - i; }
};
struct replicate_8 {
  TG_ALWAYS_INLINE static uint32_t byte(uint32_t, uint32_t c) { return c; }
};
struct clamp_left {
  TG_ALWAYS_INLINE static uint32_t byte(uint32_t i, uint32_t c) { return i > c ? i : c; }
};
struct clamp_right {
  TG_ALWAYS_INLINE static uint32_t byte(uint32_t i, uint32_t c) { return i < c ? i : c; }
};
struct replicate_16 {
  TG_ALWAYS_INLINE static uint32_t byte(uint32_t i, uint32_t c) { return 2 * (c & 1) + (i & 1); }
};

/// c + Σ a.byte[i] * b.byte[i].
template <class A, class B> struct dp4a_op {
  TG_ALWAYS_INLINE static uint32_t of(uint32_t a, uint32_t b, uint32_t c) {
    for (int i = 0; i < 4; ++i)
      c += static_cast<uint32_t>(int32_t{static_cast<A>(a >> (8 * i))} * int32_t{static_cast<B>(b >> (8 * i))});
    return c;
  }
};
/// c + Σ a.half[i] * b.byte[i]; the upper bytes of b come in shifted down by the decoder.
template <class A, class B> struct dp2a_op {
  TG_ALWAYS_INLINE static uint32_t of(uint32_t a, uint32_t b, uint32_t c) {
    for (int i = 0; i < 2; ++i)
      c += static_cast<uint32_t>(int32_t{static_cast<A>(a >> (16 * i))} * int32_t{static_cast<B>(b >> (8 * i))});
    return c;
  }
};

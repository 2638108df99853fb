// Integer arithmetic of one lane. Included once per vector unit, inside the unit's namespace and target.
#include <tg/emulator/lanes/each_lane.hpp>

template <class T> struct integer_traits;
template <> struct integer_traits<uint16_t> {
  using wide = uint32_t;
  using bits = uint16_t;
  static constexpr bool is_signed = false;
};
template <> struct integer_traits<int16_t> {
  using wide = int32_t;
  using bits = uint16_t;
  static constexpr bool is_signed = true;
};
template <> struct integer_traits<uint32_t> {
  using wide = uint64_t;
  using bits = uint32_t;
  static constexpr bool is_signed = false;
};
template <> struct integer_traits<int32_t> {
  using wide = int64_t;
  using bits = uint32_t;
  static constexpr bool is_signed = true;
};
template <> struct integer_traits<uint64_t> {
  using bits = uint64_t;
  static constexpr bool is_signed = false;
};
template <> struct integer_traits<int64_t> {
  using bits = uint64_t;
  static constexpr bool is_signed = true;
};

struct add_op {
  template <class T> TG_ALWAYS_INLINE static T of(T a, T b) { return a + b; }
};
struct sub_op {
  template <class T> TG_ALWAYS_INLINE static T of(T a, T b) { return a - b; }
};
struct mul_op {
  template <class T> TG_ALWAYS_INLINE static T of(T a, T b) { return a * b; }
};
struct mad_op {
  template <class T> TG_ALWAYS_INLINE static T of(T a, T b, T c) { return a * b + c; }
};
struct copy_op {
  template <class T> TG_ALWAYS_INLINE static T of(T a) { return a; }
};
struct neg_op {
  template <class T> TG_ALWAYS_INLINE static T of(T a) { return T{0} - a; }
};
struct not_op {
  template <class T> TG_ALWAYS_INLINE static T of(T a) { return ~a; }
};
struct cnot_op {
  template <class T> TG_ALWAYS_INLINE static T of(T a) { return a == 0; }
};
struct and_op {
  template <class T> TG_ALWAYS_INLINE static T of(T a, T b) { return a & b; }
};
struct and_not_op {
  template <class T> TG_ALWAYS_INLINE static T of(T a, T b) { return a & ~b; }
};
struct or_op {
  template <class T> TG_ALWAYS_INLINE static T of(T a, T b) { return a | b; }
};
struct xor_op {
  template <class T> TG_ALWAYS_INLINE static T of(T a, T b) { return a ^ b; }
};
struct min_op {
  template <class T> TG_ALWAYS_INLINE static T of(T a, T b) { return a < b ? a : b; }
};
struct max_op {
  template <class T> TG_ALWAYS_INLINE static T of(T a, T b) { return a > b ? a : b; }
};
struct select_op {
  template <class T> TG_ALWAYS_INLINE static T of(T a, T b, uint32_t p) { return p ? a : b; }
};

struct abs_op {
  template <class T> TG_ALWAYS_INLINE static T of(T a) {
    using bits = typename integer_traits<T>::bits;
    return static_cast<T>(a < 0 ? bits{0} - static_cast<bits>(a) : static_cast<bits>(a));
  }
};

struct mul_hi_op {
  template <class T> TG_ALWAYS_INLINE static T of(T a, T b) {
    using wide = typename integer_traits<T>::wide;
    return static_cast<T>((static_cast<wide>(a) * static_cast<wide>(b)) >> (8 * sizeof(T)));
  }
  TG_ALWAYS_INLINE static uint64_t of(uint64_t a, uint64_t b) {
    const uint64_t a0 = static_cast<uint32_t>(a), a1 = a >> 32, b0 = static_cast<uint32_t>(b), b1 = b >> 32;
    const uint64_t middle = a1 * b0 + ((a0 * b0) >> 32);
    return a1 * b1 + (middle >> 32) + ((a0 * b1 + static_cast<uint32_t>(middle)) >> 32);
  }
  TG_ALWAYS_INLINE static int64_t of(int64_t a, int64_t b) {
    const uint64_t x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
    return static_cast<int64_t>(of(x, y) - (a < 0 ? y : 0) - (b < 0 ? x : 0));
  }
};

/// The whole product, of the type that is twice as wide.
template <class W> struct mul_wide_op {
  template <class T> TG_ALWAYS_INLINE static W of(T a, T b) { return static_cast<W>(a) * static_cast<W>(b); }
};

/// Division by zero gives all ones, the smallest value by -1 itself.
struct div_op {
  template <class T> TG_ALWAYS_INLINE static T of(T a, T b) {
    if (b == 0) return static_cast<T>(~T{0});
    if constexpr (integer_traits<T>::is_signed)
      if (b == -1) return neg_op::of(static_cast<typename integer_traits<T>::bits>(a));
    return static_cast<T>(a / b);
  }
};

/// The remainder by zero is the dividend.
/// Division by 0 leaves ones in all bits. Source: an H100; the PTX manual leaves it open.
struct rem_op {
  template <class T> TG_ALWAYS_INLINE static T of(T a, T b) {
    if (b == 0) return static_cast<T>(-1);
    if constexpr (integer_traits<T>::is_signed)
      if (b == -1) return 0;
    return static_cast<T>(a % b);
  }
};

struct shl_op {
  template <class T> TG_ALWAYS_INLINE static T of(T a, uint32_t n) { return n < 8 * sizeof(T) ? static_cast<T>(a << n) : T{0}; }
};

/// Amounts past the width count as the width: zero, or the sign in every bit.
struct shr_op {
  template <class T> TG_ALWAYS_INLINE static T of(T a, uint32_t n) {
    constexpr uint32_t last = 8 * sizeof(T) - 1;
    if constexpr (integer_traits<T>::is_signed) return static_cast<T>(a >> (n < last ? n : last));
    else return n <= last ? static_cast<T>(a >> n) : T{0};
  }
};

struct add_sat_op {
  TG_ALWAYS_INLINE static int32_t of(int32_t a, int32_t b) {
    const int64_t sum = int64_t{a} + b;
    return static_cast<int32_t>(sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum);
  }
};
struct sub_sat_op {
  TG_ALWAYS_INLINE static int32_t of(int32_t a, int32_t b) {
    const int64_t difference = int64_t{a} - b;
    return static_cast<int32_t>(difference > INT32_MAX ? INT32_MAX : difference < INT32_MIN ? INT32_MIN : difference);
  }
};

struct sad_op {
  template <class T> TG_ALWAYS_INLINE static T of(T a, T b, T c) {
    using bits = typename integer_traits<T>::bits;
    const bits distance =
        static_cast<bits>(a < b ? static_cast<bits>(b) - static_cast<bits>(a) : static_cast<bits>(a) - static_cast<bits>(b));
    return static_cast<T>(static_cast<bits>(c) + distance);
  }
};

/// sum, carry out | a, b, carry in; a difference is the sum with the complement, so a borrow is a carry of 0.
template <class Op, class T> inline void with_carry(std::byte* const* slots, size_t warps) {
  auto* r = reinterpret_cast<T*>(slots[0]);
  auto* out = reinterpret_cast<uint32_t*>(slots[1]);
  auto* a = reinterpret_cast<const T*>(slots[2]);
  auto* b = reinterpret_cast<const T*>(slots[3]);
  auto* in = reinterpret_cast<const uint32_t*>(slots[4]);
  for (size_t i = 0; i < warps * lanes_per_warp; ++i) {
    const T x = a[i], y = b[i];
    const uint32_t carry = in[i];
    r[i] = Op::of(x, y, carry);
    out[i] = Op::carry(x, y, carry);
  }
}
struct add_carry_op {
  template <class T> TG_ALWAYS_INLINE static T of(T a, T b, uint32_t in) { return a + b + in; }
  template <class T> TG_ALWAYS_INLINE static uint32_t carry(T a, T b, uint32_t in) {
    return static_cast<T>(a + b) < a || (in != 0 && static_cast<T>(a + b) == ~T{0});
  }
};
struct sub_borrow_op {
  template <class T> TG_ALWAYS_INLINE static T of(T a, T b, uint32_t in) { return a + static_cast<T>(~b) + in; }
  template <class T> TG_ALWAYS_INLINE static uint32_t carry(T a, T b, uint32_t in) {
    return add_carry_op::carry(a, static_cast<T>(~b), in);
  }
};

struct eq_op {
  template <class T> TG_ALWAYS_INLINE static bool of(T a, T b) { return a == b; }
};
struct ne_op {
  template <class T> TG_ALWAYS_INLINE static bool of(T a, T b) { return a != b; }
};
struct lt_op {
  template <class T> TG_ALWAYS_INLINE static bool of(T a, T b) { return a < b; }
};
struct le_op {
  template <class T> TG_ALWAYS_INLINE static bool of(T a, T b) { return a <= b; }
};

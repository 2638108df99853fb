// Floating-point arithmetic of one lane, in the rounding and flushing mode that is set. Included once per vector unit,
// inside its namespace and target.
#include <tg/emulator/lanes/video.hpp>

template <class T> struct float_traits;
template <> struct float_traits<float> {
  using bits = uint32_t;
  static constexpr uint32_t sign = 0x80000000u, infinity = 0x7f800000u, quiet_nan = 0x7fffffffu, lowest_normal = 0x00800000u;
};
template <> struct float_traits<double> {
  using bits = uint64_t;
  static constexpr uint64_t sign = uint64_t{1} << 63, infinity = uint64_t{0x7ff} << 52, quiet_nan = 0x7fffffffffffffffull,
                            lowest_normal = uint64_t{1} << 52;
};

template <class T> TG_ALWAYS_INLINE typename float_traits<T>::bits to_bits(T a) {
  return __builtin_bit_cast(typename float_traits<T>::bits, a);
}
template <class T> TG_ALWAYS_INLINE T from_bits(typename float_traits<T>::bits a) { return __builtin_bit_cast(T, a); }
template <class T> TG_ALWAYS_INLINE typename float_traits<T>::bits magnitude(T a) {
  return to_bits(a) & ~float_traits<T>::sign;
}

/// An operation whose NaN is the canonical one where its result is an f32; an f64 keeps the payload of its operand.
/// Source: PTX ISA 9.0, 9.7.3: f64 instructions support NaN payloads, f32 ones return an unspecified NaN. GPUs return
/// 0x7fffffff, CUDART_NAN_F of math_constants.h.
template <class Op> struct canonical_op {
  template <class... T> TG_ALWAYS_INLINE static auto of(T... a) {
    const auto result = Op::of(a...);
    if constexpr (sizeof(result) == 4) return result != result ? from_bits<float>(float_traits<float>::quiet_nan) : result;
    else return result;
  }
};

struct fma_op {
  TG_ALWAYS_INLINE static float of(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
  TG_ALWAYS_INLINE static double of(double a, double b, double c) { return __builtin_fma(a, b, c); }
};
struct quotient_op {
  template <class T> TG_ALWAYS_INLINE static T of(T a, T b) { return a / b; }
};
struct rcp_op {
  template <class T> TG_ALWAYS_INLINE static T of(T a) { return T{1} / a; }
};
struct sqrt_op {
  TG_ALWAYS_INLINE static float of(float a) { return __builtin_sqrtf(a); }
  TG_ALWAYS_INLINE static double of(double a) { return __builtin_sqrt(a); }
};

/// Changes the sign bit only, of a NaN too.
struct flip_sign_op {
  template <class T> TG_ALWAYS_INLINE static T of(T a) { return from_bits<T>(to_bits(a) ^ float_traits<T>::sign); }
};
struct drop_sign_op {
  template <class T> TG_ALWAYS_INLINE static T of(T a) { return from_bits<T>(magnitude(a)); }
};
/// The magnitude of b with the sign of a.
struct copysign_op {
  template <class T> TG_ALWAYS_INLINE static T of(T a, T b) {
    return from_bits<T>((to_bits(a) & float_traits<T>::sign) | magnitude(b));
  }
};

/// -0 < +0; the number wins against a NaN, or the NaN where `NaNs` says so.
template <bool NaNs> struct float_min_op {
  template <class T> TG_ALWAYS_INLINE static T of(T a, T b) {
    const T less = a == b ? from_bits<T>(to_bits(a) | to_bits(b)) : a < b ? a : b;
    const T canonical = from_bits<T>(float_traits<T>::quiet_nan);
    if (a != a) return NaNs || b != b ? canonical : b;
    return b != b ? (NaNs ? canonical : a) : less;
  }
};
template <bool NaNs> struct float_max_op {
  template <class T> TG_ALWAYS_INLINE static T of(T a, T b) {
    const T more = a == b ? from_bits<T>(to_bits(a) & to_bits(b)) : a > b ? a : b;
    const T canonical = from_bits<T>(float_traits<T>::quiet_nan);
    if (a != a) return NaNs || b != b ? canonical : b;
    return b != b ? (NaNs ? canonical : a) : more;
  }
};

/// To [0, 1]; NaN and -0 become +0.
struct saturate_op {
  template <class T> TG_ALWAYS_INLINE static T of(T a) { return a > 0 ? (a < 1 ? a : T{1}) : T{0}; }
};
/// Subnormals become zeros of the same sign.
struct flush_op {
  template <class T> TG_ALWAYS_INLINE static T of(T a) {
    return magnitude(a) < float_traits<T>::lowest_normal ? from_bits<T>(to_bits(a) & float_traits<T>::sign) : a;
  }
};

struct round_even_op {
  TG_ALWAYS_INLINE static float of(float a) { return __builtin_rintf(a); }
  TG_ALWAYS_INLINE static double of(double a) { return __builtin_rint(a); }
};
struct round_down_op {
  TG_ALWAYS_INLINE static float of(float a) { return __builtin_floorf(a); }
  TG_ALWAYS_INLINE static double of(double a) { return __builtin_floor(a); }
};
struct round_up_op {
  TG_ALWAYS_INLINE static float of(float a) { return __builtin_ceilf(a); }
  TG_ALWAYS_INLINE static double of(double a) { return __builtin_ceil(a); }
};
struct round_zero_op {
  TG_ALWAYS_INLINE static float of(float a) { return __builtin_truncf(a); }
  TG_ALWAYS_INLINE static double of(double a) { return __builtin_trunc(a); }
};

struct num_op {
  template <class T> TG_ALWAYS_INLINE static bool of(T a, T b) { return a == a && b == b; }
};
struct nan_op {
  template <class T> TG_ALWAYS_INLINE static bool of(T a, T b) { return a != a || b != b; }
};
struct less_greater_op {
  template <class T> TG_ALWAYS_INLINE static bool of(T a, T b) { return a < b || a > b; }
};
struct equ_op {
  template <class T> TG_ALWAYS_INLINE static bool of(T a, T b) { return !(a < b || a > b); }
};
struct neu_op {
  template <class T> TG_ALWAYS_INLINE static bool of(T a, T b) { return !(a == b); }
};
struct ltu_op {
  template <class T> TG_ALWAYS_INLINE static bool of(T a, T b) { return !(a >= b); }
};
struct leu_op {
  template <class T> TG_ALWAYS_INLINE static bool of(T a, T b) { return !(a > b); }
};

// testp, written as tests of two operands that are the same.
struct finite_op {
  template <class T> TG_ALWAYS_INLINE static bool of(T a, T) { return magnitude(a) < float_traits<T>::infinity; }
};
struct infinite_op {
  template <class T> TG_ALWAYS_INLINE static bool of(T a, T) { return magnitude(a) == float_traits<T>::infinity; }
};
struct normal_op {  // zeros are. Source: PTX ISA, "testp"
  template <class T> TG_ALWAYS_INLINE static bool of(T a, T) {
    return magnitude(a) == 0 || (magnitude(a) >= float_traits<T>::lowest_normal && magnitude(a) < float_traits<T>::infinity);
  }
};
struct subnormal_op {
  template <class T> TG_ALWAYS_INLINE static bool of(T a, T) {
    return magnitude(a) < float_traits<T>::lowest_normal && magnitude(a) != 0;
  }
};

// The approximate functions: in double, rounded once, so that all are within 1 ulp and the same on every machine.
struct rsqrt_op {
  TG_ALWAYS_INLINE static float of(float a) { return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(a))); }
  TG_ALWAYS_INLINE static double of(double a) { return 1.0 / __builtin_sqrt(a); }
};
struct sin_op {
  TG_ALWAYS_INLINE static float of(float a) { return static_cast<float>(__builtin_sin(a)); }
};
struct cos_op {
  TG_ALWAYS_INLINE static float of(float a) { return static_cast<float>(__builtin_cos(a)); }
};
struct ex2_op {
  TG_ALWAYS_INLINE static float of(float a) { return static_cast<float>(__builtin_exp2(a)); }
};
struct lg2_op {
  TG_ALWAYS_INLINE static float of(float a) { return static_cast<float>(__builtin_log2(a)); }
};
struct tanh_op {
  TG_ALWAYS_INLINE static float of(float a) { return static_cast<float>(__builtin_tanh(a)); }
};
/// div.full: within 2 ulp, scaled so that no intermediate overflows.
struct div_full_op {
  TG_ALWAYS_INLINE static float of(float a, float b) {
    return static_cast<float>(static_cast<double>(a) / static_cast<double>(b));
  }
};
/// div.approx: zero for divisors past 2^126, NaN if the dividend is infinite then.
/// Source: PTX ISA 9.0, 9.7.3.8.
struct div_approx_op {
  TG_ALWAYS_INLINE static float of(float a, float b) {
    const uint32_t size = magnitude(b);
    const float scale = size > 0x7e800000u && size < float_traits<float>::infinity ? 0.0f : 1.0f;
    return (a * scale) / b;
  }
};
/// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 work on the upper words; the lower word of the result is zero, also of
/// the canonical NaN. Source: PTX ISA 9.0, 9.7.3.14 and 9.7.3.18.
TG_ALWAYS_INLINE double upper_word_of(double a) {
  return from_bits<double>((a != a ? float_traits<double>::quiet_nan : to_bits(a)) >> 32 << 32);
}
struct rcp_high_op {
  TG_ALWAYS_INLINE static double of(double a) {
    const double upper = flush_op::of(upper_word_of(a));
    return flush_op::of(upper_word_of(1.0 / upper));
  }
};
struct rsqrt_high_op {
  TG_ALWAYS_INLINE static double of(double a) {
    const double upper = flush_op::of(upper_word_of(a));
    return upper_word_of(1.0 / __builtin_sqrt(upper));
  }
};

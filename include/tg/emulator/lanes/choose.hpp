// The code of one operation for each type that has it. Included once per vector unit, inside its namespace and target.
#include <tg/emulator/lanes/rows.hpp>

using tg::emulator::lane_handler, tg::emulator::lane_op, tg::emulator::lane_type;

/// The operation does not look at upper bits or signs: unsigned words of the slot's width.
template <class Op> inline lane_handler word_one(lane_type t) {
  return tg::emulator::slot_bytes(t) == 8 ? one<Op, uint64_t> : one<Op, uint32_t>;
}
template <class Op> inline lane_handler word_two(lane_type t) {
  return tg::emulator::slot_bytes(t) == 8 ? two<Op, uint64_t> : two<Op, uint32_t>;
}
/// Integers by the word, floats by their type.
template <class Op> inline lane_handler number_two(lane_type t) {
  return t == lane_type::f32 ? two<canonical_op<Op>, float> : t == lane_type::f64 ? two<Op, double> : word_two<Op>(t);
}
template <class Op, class F> inline lane_handler signed_two(lane_type t) {
  switch (t) {
    case lane_type::u16: return two<Op, uint16_t>;
    case lane_type::s16: return two<Op, int16_t>;
    case lane_type::u32: return two<Op, uint32_t>;
    case lane_type::s32: return two<Op, int32_t>;
    case lane_type::u64: return two<Op, uint64_t>;
    case lane_type::s64: return two<Op, int64_t>;
    default: break;
  }
  if constexpr (F::exists)
    return t == lane_type::f32 ? two<typename F::type, float> : t == lane_type::f64 ? two<typename F::type, double> : nullptr;
  else return nullptr;
}
struct no_float { static constexpr bool exists = false; };
template <class Op> struct for_float {
  static constexpr bool exists = true;
  using type = Op;
};

template <class Op> inline lane_handler float_one(lane_type t) {
  return t == lane_type::f32 ? one<Op, float> : t == lane_type::f64 ? one<Op, double> : nullptr;
}
template <class Op> inline lane_handler float_two(lane_type t) {
  return t == lane_type::f32 ? two<Op, float> : t == lane_type::f64 ? two<Op, double> : nullptr;
}
template <class Op> inline lane_handler float_test(lane_type t) {
  return t == lane_type::f32 ? test<Op, float> : t == lane_type::f64 ? test<Op, double> : nullptr;
}
template <class Op> inline lane_handler equality_test(lane_type t) {
  switch (t) {
    case lane_type::u16:
    case lane_type::s16: return test<Op, uint16_t>;
    case lane_type::u32:
    case lane_type::s32: return test<Op, uint32_t>;
    case lane_type::u64:
    case lane_type::s64: return test<Op, uint64_t>;
    default: return float_test<Op>(t);
  }
}
template <class Op> inline lane_handler order_test(lane_type t) {
  switch (t) {
    case lane_type::s16: return test<Op, int16_t>;
    case lane_type::s32: return test<Op, int32_t>;
    case lane_type::s64: return test<Op, int64_t>;
    default: return equality_test<Op>(t);
  }
}
/// A 32-bit result of a 32- or 64-bit source.
template <class Op> inline lane_handler count_bits(lane_type t) {
  switch (t) {
    case lane_type::u32: return one<Op, uint32_t>;
    case lane_type::u64: return one<Op, uint32_t, uint64_t>;
    default: return nullptr;
  }
}
template <class Op> inline lane_handler find_bit(lane_type t) {
  return t == lane_type::s32   ? one<Op, uint32_t, int32_t>
         : t == lane_type::s64 ? one<Op, uint32_t, int64_t>
                               : count_bits<Op>(t);
}
template <class Op> inline lane_handler words_three(lane_type t) { return t == lane_type::u32 ? three<Op, uint32_t> : nullptr; }

inline lane_handler find_wide_product(lane_type t) {
  switch (t) {
    case lane_type::u16: return two<mul_wide_op<uint32_t>, uint32_t, uint16_t>;
    case lane_type::s16: return two<mul_wide_op<int32_t>, int32_t, int16_t>;
    case lane_type::u32: return two<mul_wide_op<uint64_t>, uint64_t, uint32_t>;
    case lane_type::s32: return two<mul_wide_op<int64_t>, int64_t, int32_t>;
    default: return nullptr;
  }
}
inline lane_handler find_shift_right(lane_type t) {
  switch (t) {
    case lane_type::u16: return two<shr_op, uint16_t, uint16_t, uint32_t>;
    case lane_type::s16: return two<shr_op, int16_t, int16_t, uint32_t>;
    case lane_type::u32: return two<shr_op, uint32_t, uint32_t, uint32_t>;
    case lane_type::s32: return two<shr_op, int32_t, int32_t, uint32_t>;
    case lane_type::u64: return two<shr_op, uint64_t, uint64_t, uint32_t>;
    case lane_type::s64: return two<shr_op, int64_t, int64_t, uint32_t>;
    default: return nullptr;
  }
}
inline lane_handler find_shift_left(lane_type t) {
  return tg::emulator::slot_bytes(t) == 8 ? two<shl_op, uint64_t, uint64_t, uint32_t>
                                          : two<shl_op, uint32_t, uint32_t, uint32_t>;
}
inline lane_handler find_abs(lane_type t) {
  switch (t) {
    case lane_type::s16: return one<abs_op, int16_t>;
    case lane_type::s32: return one<abs_op, int32_t>;
    case lane_type::s64: return one<abs_op, int64_t>;
    default: return float_one<drop_sign_op>(t);
  }
}
inline lane_handler find_neg(lane_type t) {
  return t == lane_type::f32 || t == lane_type::f64 ? float_one<flip_sign_op>(t) : word_one<neg_op>(t);
}
inline lane_handler find_select(lane_type t) {
  return tg::emulator::slot_bytes(t) == 8 ? three<select_op, uint64_t, uint64_t, uint64_t, uint32_t>
                                          : three<select_op, uint32_t>;
}
inline lane_handler find_mad(lane_type t) {
  return tg::emulator::slot_bytes(t) == 8 ? three<mad_op, uint64_t> : three<mad_op, uint32_t>;
}
inline lane_handler find_fma(lane_type t) {
  return t == lane_type::f32 ? three<canonical_op<fma_op>, float> : t == lane_type::f64 ? three<fma_op, double> : nullptr;
}
inline lane_handler find_field(lane_type t) {
  switch (t) {
    case lane_type::u32: return three<bfe_op, uint32_t, uint32_t, uint32_t, uint32_t>;
    case lane_type::s32: return three<bfe_op, int32_t, int32_t, uint32_t, uint32_t>;
    case lane_type::u64: return three<bfe_op, uint64_t, uint64_t, uint32_t, uint32_t>;
    case lane_type::s64: return three<bfe_op, int64_t, int64_t, uint32_t, uint32_t>;
    default: return nullptr;
  }
}
inline lane_handler find_sad(lane_type t) {
  switch (t) {
    case lane_type::u16: return three<sad_op, uint16_t>;
    case lane_type::s16: return three<sad_op, int16_t>;
    case lane_type::u32: return three<sad_op, uint32_t>;
    case lane_type::s32: return three<sad_op, int32_t>;
    case lane_type::u64: return three<sad_op, uint64_t>;
    case lane_type::s64: return three<sad_op, int64_t>;
    default: return nullptr;
  }
}
inline lane_handler find_cnot(lane_type t) { return t == lane_type::u16 ? one<cnot_op, uint16_t> : word_one<cnot_op>(t); }

// Which code runs an operation. Included once per vector unit, inside its namespace and target.
#include <tg/emulator/lanes/access.hpp>

using tg::emulator::lane_handler, tg::emulator::lane_op, tg::emulator::lane_type;

/// The operation does not look at upper bits or signs: unsigned words of the slot's width.
template <class Op>
inline lane_handler word_one(lane_type t) {
  return tg::emulator::slot_bytes(t) == 8 ? one<Op, uint64_t> : one<Op, uint32_t>;
}
template <class Op>
inline lane_handler word_two(lane_type t) {
  return tg::emulator::slot_bytes(t) == 8 ? two<Op, uint64_t> : two<Op, uint32_t>;
}
/// Integers by the word, floats by their type.
template <class Op>
inline lane_handler number_two(lane_type t) {
  return t == lane_type::f32 ? two<Op, float> : t == lane_type::f64 ? two<Op, double> : word_two<Op>(t);
}
template <class Op, class F>
inline lane_handler signed_two(lane_type t) {
  switch (t) {
    case lane_type::u16:
      return two<Op, uint16_t>;
    case lane_type::s16:
      return two<Op, int16_t>;
    case lane_type::u32:
      return two<Op, uint32_t>;
    case lane_type::s32:
      return two<Op, int32_t>;
    case lane_type::u64:
      return two<Op, uint64_t>;
    case lane_type::s64:
      return two<Op, int64_t>;
    default:
      break;
  }
  if constexpr (F::exists)
    return t == lane_type::f32   ? two<typename F::type, float>
           : t == lane_type::f64 ? two<typename F::type, double>
                                 : nullptr;
  else
    return nullptr;
}
struct no_float {
  static constexpr bool exists = false;
};
template <class Op>
struct for_float {
  static constexpr bool exists = true;
  using type = Op;
};

template <class Op>
inline lane_handler float_one(lane_type t) {
  return t == lane_type::f32 ? one<Op, float> : t == lane_type::f64 ? one<Op, double> : nullptr;
}
template <class Op>
inline lane_handler float_two(lane_type t) {
  return t == lane_type::f32 ? two<Op, float> : t == lane_type::f64 ? two<Op, double> : nullptr;
}
template <class Op>
inline lane_handler float_test(lane_type t) {
  return t == lane_type::f32 ? test<Op, float> : t == lane_type::f64 ? test<Op, double> : nullptr;
}
template <class Op>
inline lane_handler equality_test(lane_type t) {
  switch (t) {
    case lane_type::u16:
    case lane_type::s16:
      return test<Op, uint16_t>;
    case lane_type::u32:
    case lane_type::s32:
      return test<Op, uint32_t>;
    case lane_type::u64:
    case lane_type::s64:
      return test<Op, uint64_t>;
    default:
      return float_test<Op>(t);
  }
}
template <class Op>
inline lane_handler order_test(lane_type t) {
  switch (t) {
    case lane_type::s16:
      return test<Op, int16_t>;
    case lane_type::s32:
      return test<Op, int32_t>;
    case lane_type::s64:
      return test<Op, int64_t>;
    default:
      return equality_test<Op>(t);
  }
}
/// A 32-bit result of a 32- or 64-bit source.
template <class Op>
inline lane_handler count_bits(lane_type t) {
  switch (t) {
    case lane_type::u32:
      return one<Op, uint32_t>;
    case lane_type::u64:
      return one<Op, uint32_t, uint64_t>;
    default:
      return nullptr;
  }
}
template <class Op>
inline lane_handler find_bit(lane_type t) {
  return t == lane_type::s32   ? one<Op, uint32_t, int32_t>
         : t == lane_type::s64 ? one<Op, uint32_t, int64_t>
                               : count_bits<Op>(t);
}
template <class Op>
inline lane_handler words_three(lane_type t) {
  return t == lane_type::u32 ? three<Op, uint32_t> : nullptr;
}

inline lane_handler find_wide_product(lane_type t) {
  switch (t) {
    case lane_type::u16:
      return two<mul_wide_op<uint32_t>, uint32_t, uint16_t>;
    case lane_type::s16:
      return two<mul_wide_op<int32_t>, int32_t, int16_t>;
    case lane_type::u32:
      return two<mul_wide_op<uint64_t>, uint64_t, uint32_t>;
    case lane_type::s32:
      return two<mul_wide_op<int64_t>, int64_t, int32_t>;
    default:
      return nullptr;
  }
}
inline lane_handler find_shift_right(lane_type t) {
  switch (t) {
    case lane_type::u16:
      return two<shr_op, uint16_t, uint16_t, uint32_t>;
    case lane_type::s16:
      return two<shr_op, int16_t, int16_t, uint32_t>;
    case lane_type::u32:
      return two<shr_op, uint32_t, uint32_t, uint32_t>;
    case lane_type::s32:
      return two<shr_op, int32_t, int32_t, uint32_t>;
    case lane_type::u64:
      return two<shr_op, uint64_t, uint64_t, uint32_t>;
    case lane_type::s64:
      return two<shr_op, int64_t, int64_t, uint32_t>;
    default:
      return nullptr;
  }
}
inline lane_handler find_shift_left(lane_type t) {
  return tg::emulator::slot_bytes(t) == 8 ? two<shl_op, uint64_t, uint64_t, uint32_t>
                                          : two<shl_op, uint32_t, uint32_t, uint32_t>;
}
inline lane_handler find_abs(lane_type t) {
  switch (t) {
    case lane_type::s16:
      return one<abs_op, int16_t>;
    case lane_type::s32:
      return one<abs_op, int32_t>;
    case lane_type::s64:
      return one<abs_op, int64_t>;
    default:
      return float_one<drop_sign_op>(t);
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
  return t == lane_type::f32 ? three<fma_op, float> : t == lane_type::f64 ? three<fma_op, double> : nullptr;
}
inline lane_handler find_field(lane_type t) {
  switch (t) {
    case lane_type::u32:
      return three<bfe_op, uint32_t, uint32_t, uint32_t, uint32_t>;
    case lane_type::s32:
      return three<bfe_op, int32_t, int32_t, uint32_t, uint32_t>;
    case lane_type::u64:
      return three<bfe_op, uint64_t, uint64_t, uint32_t, uint32_t>;
    case lane_type::s64:
      return three<bfe_op, int64_t, int64_t, uint32_t, uint32_t>;
    default:
      return nullptr;
  }
}
inline lane_handler find_sad(lane_type t) {
  switch (t) {
    case lane_type::u16:
      return three<sad_op, uint16_t>;
    case lane_type::s16:
      return three<sad_op, int16_t>;
    case lane_type::u32:
      return three<sad_op, uint32_t>;
    case lane_type::s32:
      return three<sad_op, int32_t>;
    case lane_type::u64:
      return three<sad_op, uint64_t>;
    case lane_type::s64:
      return three<sad_op, int64_t>;
    default:
      return nullptr;
  }
}
inline lane_handler find_cnot(lane_type t) {
  return t == lane_type::u16 ? one<cnot_op, uint16_t> : word_one<cnot_op>(t);
}

inline lane_handler find(lane_op op, lane_type t) {
  switch (op) {
    case lane_op::copy:
      return word_one<copy_op>(t);
    case lane_op::not_:
      return word_one<not_op>(t);
    case lane_op::neg:
      return find_neg(t);
    case lane_op::abs:
      return find_abs(t);
    case lane_op::cnot:
      return find_cnot(t);
    case lane_op::popc:
      return count_bits<popc_op>(t);
    case lane_op::clz:
      return count_bits<clz_op>(t);
    case lane_op::brev:
      return word_one<brev_op>(t);
    case lane_op::bfind:
      return find_bit<bfind_op>(t);
    case lane_op::bfind_shift:
      return find_bit<bfind_shift_op>(t);
    case lane_op::copy_high:
      return one<high_32_op, uint32_t, uint64_t>;
    case lane_op::add:
      return number_two<add_op>(t);
    case lane_op::sub:
      return number_two<sub_op>(t);
    case lane_op::mul:
      return number_two<mul_op>(t);
    case lane_op::mul_hi:
      return signed_two<mul_hi_op, no_float>(t);
    case lane_op::mul_wide:
      return find_wide_product(t);
    case lane_op::div:
      return signed_two<div_op, for_float<quotient_op>>(t);
    case lane_op::rem:
      return signed_two<rem_op, no_float>(t);
    case lane_op::min:
      return signed_two<min_op, for_float<float_min_op<false>>>(t);
    case lane_op::max:
      return signed_two<max_op, for_float<float_max_op<false>>>(t);
    case lane_op::min_nan:
      return float_two<float_min_op<true>>(t);
    case lane_op::max_nan:
      return float_two<float_max_op<true>>(t);
    case lane_op::and_:
      return word_two<and_op>(t);
    case lane_op::or_:
      return word_two<or_op>(t);
    case lane_op::xor_:
      return word_two<xor_op>(t);
    case lane_op::and_not:
      return word_two<and_not_op>(t);
    case lane_op::shl:
      return find_shift_left(t);
    case lane_op::shr:
      return find_shift_right(t);
    case lane_op::add_sat:
      return two<add_sat_op, int32_t>;
    case lane_op::sub_sat:
      return two<sub_sat_op, int32_t>;
    case lane_op::pack:
      return t == lane_type::u16 ? two<pack_16_op, uint32_t> : two<pack_32_op, uint64_t, uint32_t>;
    case lane_op::bmsk:
      return two<bmsk_op, uint32_t>;
    case lane_op::copysign:
      return float_two<copysign_op>(t);
    case lane_op::eq:
      return equality_test<eq_op>(t);
    case lane_op::ne:
      return t == lane_type::f32 || t == lane_type::f64 ? float_test<less_greater_op>(t) : equality_test<ne_op>(t);
    case lane_op::lt:
      return order_test<lt_op>(t);
    case lane_op::le:
      return order_test<le_op>(t);
    case lane_op::num:
      return float_test<num_op>(t);
    case lane_op::nan:
      return float_test<nan_op>(t);
    case lane_op::equ:
      return float_test<equ_op>(t);
    case lane_op::neu:
      return float_test<neu_op>(t);
    case lane_op::ltu:
      return float_test<ltu_op>(t);
    case lane_op::leu:
      return float_test<leu_op>(t);
    case lane_op::mad:
      return find_mad(t);
    case lane_op::fma:
      return find_fma(t);
    case lane_op::select:
      return find_select(t);
    case lane_op::bfe:
      return find_field(t);
    case lane_op::funnel_left:
      return words_three<funnel_left_op>(t);
    case lane_op::funnel_right:
      return words_three<funnel_right_op>(t);
    case lane_op::prmt:
      return words_three<prmt_op>(t);
    case lane_op::prmt_f4e:
      return words_three<prmt_mode_op<forward_4>>(t);
    case lane_op::prmt_b4e:
      return words_three<prmt_mode_op<backward_4>>(t);
    case lane_op::prmt_rc8:
      return words_three<prmt_mode_op<replicate_8>>(t);
    case lane_op::prmt_ecl:
      return words_three<prmt_mode_op<clamp_left>>(t);
    case lane_op::prmt_ecr:
      return words_three<prmt_mode_op<clamp_right>>(t);
    case lane_op::prmt_rc16:
      return words_three<prmt_mode_op<replicate_16>>(t);
    case lane_op::sad:
      return find_sad(t);
    case lane_op::dp4a_uu:
      return words_three<dp4a_op<uint8_t, uint8_t>>(t);
    case lane_op::dp4a_us:
      return words_three<dp4a_op<uint8_t, int8_t>>(t);
    case lane_op::dp4a_su:
      return words_three<dp4a_op<int8_t, uint8_t>>(t);
    case lane_op::dp4a_ss:
      return words_three<dp4a_op<int8_t, int8_t>>(t);
    case lane_op::dp2a_uu:
      return words_three<dp2a_op<uint16_t, uint8_t>>(t);
    case lane_op::dp2a_us:
      return words_three<dp2a_op<uint16_t, int8_t>>(t);
    case lane_op::dp2a_su:
      return words_three<dp2a_op<int16_t, uint8_t>>(t);
    case lane_op::dp2a_ss:
      return words_three<dp2a_op<int16_t, int8_t>>(t);
    case lane_op::lop3:
      return four<lop3_op, uint32_t>;
    case lane_op::bfi:
      return tg::emulator::slot_bytes(t) == 8 ? four<bfi_op, uint64_t> : four<bfi_op, uint32_t>;
    case lane_op::add_carry:
      return tg::emulator::slot_bytes(t) == 8 ? with_carry<add_carry_op, uint64_t> : with_carry<add_carry_op, uint32_t>;
    case lane_op::sub_borrow:
      return tg::emulator::slot_bytes(t) == 8 ? with_carry<sub_borrow_op, uint64_t>
                                              : with_carry<sub_borrow_op, uint32_t>;
    case lane_op::sqrt:
      return float_one<sqrt_op>(t);
    case lane_op::rcp:
      return float_one<rcp_op>(t);
    case lane_op::rsqrt:
      return float_one<rsqrt_op>(t);
    case lane_op::sin:
      return one<sin_op, float>;
    case lane_op::cos:
      return one<cos_op, float>;
    case lane_op::ex2:
      return one<ex2_op, float>;
    case lane_op::lg2:
      return one<lg2_op, float>;
    case lane_op::tanh:
      return one<tanh_op, float>;
    case lane_op::rcp_high:
      return one<rcp_high_op, double>;
    case lane_op::rsqrt_high:
      return one<rsqrt_high_op, double>;
    case lane_op::div_full:
      return two<div_full_op, float>;
    case lane_op::div_approx:
      return two<div_approx_op, float>;
    case lane_op::saturate:
      return float_one<saturate_op>(t);
    case lane_op::flush:
      return float_one<flush_op>(t);
    case lane_op::round_even:
      return float_one<round_even_op>(t);
    case lane_op::round_down:
      return float_one<round_down_op>(t);
    case lane_op::round_up:
      return float_one<round_up_op>(t);
    case lane_op::round_zero:
      return float_one<round_zero_op>(t);
    case lane_op::finite:
      return float_test<finite_op>(t);
    case lane_op::infinite:
      return float_test<infinite_op>(t);
    case lane_op::number:
      return float_test<num_op>(t);
    case lane_op::notanumber:
      return float_test<nan_op>(t);
    case lane_op::normal:
      return float_test<normal_op>(t);
    case lane_op::subnormal:
      return float_test<subnormal_op>(t);
  }
  return nullptr;
}

template <class T>
inline lane_handler extend_from(lane_type to) {
  return tg::emulator::slot_bytes(to) == 8 ? one<extend_op<uint64_t>, uint64_t, T>
                                           : one<extend_op<uint32_t>, uint32_t, T>;
}
template <class T>
inline lane_handler float_from(lane_type to) {
  return to == lane_type::f32 ? one<to_float_op<float>, float, T> : one<to_float_op<double>, double, T>;
}
template <class T>
inline lane_handler convert_float(lane_type to) {
  switch (to) {
    case lane_type::u32:
      return one<to_integer_op<uint32_t>, uint32_t, T>;
    case lane_type::s32:
      return one<to_integer_op<int32_t>, int32_t, T>;
    case lane_type::u64:
      return one<to_integer_op<uint64_t>, uint64_t, T>;
    case lane_type::s64:
      return one<to_integer_op<int64_t>, int64_t, T>;
    case lane_type::f32:
      return one<extend_op<float>, float, T>;
    case lane_type::f64:
      return one<extend_op<double>, double, T>;
    case lane_type::f16:
      return one<narrow_half_op, uint16_t, T>;
    case lane_type::bf16:
      return one<narrow_bfloat_op, uint16_t, float>;
    default:
      return nullptr;
  }
}

/// Integers to integers of 32 or 64 bits; 32- and 64-bit integers to floats and back; floats to floats.
inline lane_handler find_convert(lane_type to, lane_type from) {
  const bool to_float = to == lane_type::f32 || to == lane_type::f64;
  switch (from) {
    case lane_type::u8:
      return extend_from<uint8_t>(to);
    case lane_type::s8:
      return extend_from<int8_t>(to);
    case lane_type::u16:
      return extend_from<uint16_t>(to);
    case lane_type::s16:
      return extend_from<int16_t>(to);
    case lane_type::u32:
      return to_float ? float_from<uint32_t>(to) : extend_from<uint32_t>(to);
    case lane_type::s32:
      return to_float ? float_from<int32_t>(to) : extend_from<int32_t>(to);
    case lane_type::u64:
      return to_float ? float_from<uint64_t>(to) : extend_from<uint64_t>(to);
    case lane_type::s64:
      return to_float ? float_from<int64_t>(to) : extend_from<int64_t>(to);
    case lane_type::f32:
      return convert_float<float>(to);
    case lane_type::f64:
      return to == lane_type::bf16 ? nullptr : convert_float<double>(to);
    case lane_type::f16:
      return to == lane_type::f32 ? one<widen_half_op, float, uint16_t> : nullptr;
    case lane_type::bf16:
      return to == lane_type::f32 ? one<widen_bfloat_op, float, uint16_t> : nullptr;
  }
  return nullptr;
}

inline tg::emulator::lane_code make_code(const char* name) {
  return {name, find, find_convert, predicate_bits, blend, spread_bits, add_offset, summarize, gather, scatter};
}

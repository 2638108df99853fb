// Which code runs an operation. Included once per vector unit, inside its namespace and target.
#include <tg/emulator/lanes/multiply.hpp>

inline lane_handler find(lane_op op, lane_type t) {
  switch (op) {
    case lane_op::copy: return word_one<copy_op>(t);
    case lane_op::not_: return word_one<not_op>(t);
    case lane_op::neg: return find_neg(t);
    case lane_op::abs: return find_abs(t);
    case lane_op::cnot: return find_cnot(t);
    case lane_op::popc: return count_bits<popc_op>(t);
    case lane_op::clz: return count_bits<clz_op>(t);
    case lane_op::brev: return word_one<brev_op>(t);
    case lane_op::bfind: return find_bit<bfind_op>(t);
    case lane_op::bfind_shift: return find_bit<bfind_shift_op>(t);
    case lane_op::copy_high: return one<high_32_op, uint32_t, uint64_t>;
    case lane_op::add: return number_two<add_op>(t);
    case lane_op::sub: return number_two<sub_op>(t);
    case lane_op::mul: return number_two<mul_op>(t);
    case lane_op::mul_hi: return signed_two<mul_hi_op, no_float>(t);
    case lane_op::mul_wide: return find_wide_product(t);
    case lane_op::div: return signed_two<div_op, for_float<canonical_op<quotient_op>>>(t);
    case lane_op::rem: return signed_two<rem_op, no_float>(t);
    case lane_op::min: return signed_two<min_op, for_float<float_min_op<false>>>(t);
    case lane_op::max: return signed_two<max_op, for_float<float_max_op<false>>>(t);
    case lane_op::min_nan: return float_two<float_min_op<true>>(t);
    case lane_op::max_nan: return float_two<float_max_op<true>>(t);
    case lane_op::and_: return word_two<and_op>(t);
    case lane_op::or_: return word_two<or_op>(t);
    case lane_op::xor_: return word_two<xor_op>(t);
    case lane_op::and_not: return word_two<and_not_op>(t);
    case lane_op::shl: return find_shift_left(t);
    case lane_op::shr: return find_shift_right(t);
    case lane_op::add_sat: return two<add_sat_op, int32_t>;
    case lane_op::sub_sat: return two<sub_sat_op, int32_t>;
    case lane_op::pack: return t == lane_type::u16 ? two<pack_16_op, uint32_t> : two<pack_32_op, uint64_t, uint32_t>;
    case lane_op::bmsk: return two<bmsk_op, uint32_t>;
    case lane_op::copysign: return float_two<copysign_op>(t);
    case lane_op::eq: return equality_test<eq_op>(t);
    case lane_op::ne:
      return t == lane_type::f32 || t == lane_type::f64 ? float_test<less_greater_op>(t) : equality_test<ne_op>(t);
    case lane_op::lt: return order_test<lt_op>(t);
    case lane_op::le: return order_test<le_op>(t);
    case lane_op::num: return float_test<num_op>(t);
    case lane_op::nan: return float_test<nan_op>(t);
    case lane_op::equ: return float_test<equ_op>(t);
    case lane_op::neu: return float_test<neu_op>(t);
    case lane_op::ltu: return float_test<ltu_op>(t);
    case lane_op::leu: return float_test<leu_op>(t);
    case lane_op::mad: return find_mad(t);
    case lane_op::fma: return find_fma(t);
    case lane_op::select: return find_select(t);
    case lane_op::bfe: return find_field(t);
    case lane_op::funnel_left: return words_three<funnel_left_op>(t);
    case lane_op::funnel_right: return words_three<funnel_right_op>(t);
    case lane_op::prmt: return words_three<prmt_op>(t);
    case lane_op::prmt_f4e: return words_three<prmt_mode_op<forward_4>>(t);
    case lane_op::prmt_b4e: return words_three<prmt_mode_op<backward_4>>(t);
    case lane_op::prmt_rc8: return words_three<prmt_mode_op<replicate_8>>(t);
    case lane_op::prmt_ecl: return words_three<prmt_mode_op<clamp_left>>(t);
    case lane_op::prmt_ecr: return words_three<prmt_mode_op<clamp_right>>(t);
    case lane_op::prmt_rc16: return words_three<prmt_mode_op<replicate_16>>(t);
    case lane_op::sad: return find_sad(t);
    case lane_op::dp4a_uu: return words_three<dp4a_op<uint8_t, uint8_t>>(t);
    case lane_op::dp4a_us: return words_three<dp4a_op<uint8_t, int8_t>>(t);
    case lane_op::dp4a_su: return words_three<dp4a_op<int8_t, uint8_t>>(t);
    case lane_op::dp4a_ss: return words_three<dp4a_op<int8_t, int8_t>>(t);
    case lane_op::dp2a_uu: return words_three<dp2a_op<uint16_t, uint8_t>>(t);
    case lane_op::dp2a_us: return words_three<dp2a_op<uint16_t, int8_t>>(t);
    case lane_op::dp2a_su: return words_three<dp2a_op<int16_t, uint8_t>>(t);
    case lane_op::dp2a_ss: return words_three<dp2a_op<int16_t, int8_t>>(t);
    case lane_op::fns: return words_three<fns_op>(t);
    case lane_op::lop3: return four<lop3_op, uint32_t>;
    case lane_op::bfi: return tg::emulator::slot_bytes(t) == 8 ? four<bfi_op, uint64_t> : four<bfi_op, uint32_t>;
    case lane_op::add_carry:
      return tg::emulator::slot_bytes(t) == 8 ? with_carry<add_carry_op, uint64_t> : with_carry<add_carry_op, uint32_t>;
    case lane_op::sub_borrow:
      return tg::emulator::slot_bytes(t) == 8 ? with_carry<sub_borrow_op, uint64_t> : with_carry<sub_borrow_op, uint32_t>;
    case lane_op::video: return four<video_op, uint32_t>;
    case lane_op::sqrt: return float_one<canonical_op<sqrt_op>>(t);
    case lane_op::rcp: return float_one<canonical_op<rcp_op>>(t);
    case lane_op::rsqrt: return float_one<canonical_op<rsqrt_op>>(t);
    case lane_op::sin: return one<canonical_op<sin_op>, float>;
    case lane_op::cos: return one<canonical_op<cos_op>, float>;
    case lane_op::ex2: return one<canonical_op<ex2_op>, float>;
    case lane_op::lg2: return one<canonical_op<lg2_op>, float>;
    case lane_op::tanh: return one<canonical_op<tanh_op>, float>;
    case lane_op::rcp_high: return one<rcp_high_op, double>;
    case lane_op::rsqrt_high: return one<rsqrt_high_op, double>;
    case lane_op::div_full: return two<canonical_op<div_full_op>, float>;
    case lane_op::div_approx: return two<canonical_op<div_approx_op>, float>;
    case lane_op::saturate: return float_one<saturate_op>(t);
    case lane_op::flush: return t == lane_type::f16 ? one<flush_half_op, uint32_t> : float_one<flush_op>(t);
    case lane_op::round_even: return float_one<canonical_op<round_even_op>>(t);
    case lane_op::round_down: return float_one<canonical_op<round_down_op>>(t);
    case lane_op::round_up: return float_one<canonical_op<round_up_op>>(t);
    case lane_op::round_zero: return float_one<canonical_op<round_zero_op>>(t);
    case lane_op::finite: return float_test<finite_op>(t);
    case lane_op::infinite: return float_test<infinite_op>(t);
    case lane_op::number: return float_test<num_op>(t);
    case lane_op::notanumber: return float_test<nan_op>(t);
    case lane_op::normal: return float_test<normal_op>(t);
    case lane_op::subnormal: return float_test<subnormal_op>(t);
    case lane_op::fma_odd: return three<fma_odd_op, double>;
    case lane_op::sticky: return t == lane_type::s64 ? one<sticky_op, int64_t> : one<sticky_op, uint64_t>;
    case lane_op::narrow_tf32: return one<narrow_tensor_op, uint32_t, float>;
    case lane_op::narrow_tf32_away: return one<narrow_tensor_away_op, uint32_t, float>;
    case lane_op::narrow_e4m3: return one<narrow_op<e4m3>, uint32_t, float>;
    case lane_op::narrow_e5m2: return one<narrow_op<e5m2>, uint32_t, float>;
    case lane_op::widen_e4m3: return one<widen_op<e4m3>, float, uint32_t>;
    case lane_op::widen_e5m2: return one<widen_op<e5m2>, float, uint32_t>;
  }
  return nullptr;
}

inline tg::emulator::lane_code make_code(const char* name) {
  return {name,   find,    find_convert, predicate_bits, all_predicate_bits, blend,      spread_bits,  add_offset,  summarize,
          gather, scatter, fill_same,    fill_even,      load_rows,          store_rows, multiply_f32, multiply_f64};
}

// Which code converts one type to another. Included once per vector unit, inside its namespace and target.
#include <tg/emulator/lanes/choose.hpp>

template <class T> inline lane_handler extend_from(lane_type to) {
  return tg::emulator::slot_bytes(to) == 8 ? one<extend_op<uint64_t>, uint64_t, T> : one<extend_op<uint32_t>, uint32_t, T>;
}
template <class T> inline lane_handler float_from(lane_type to) {
  return to == lane_type::f32 ? one<extend_op<float>, float, T> : one<extend_op<double>, double, T>;
}
template <class T> inline lane_handler convert_float(lane_type to) {
  switch (to) {
    case lane_type::u32: return one<to_integer_op<uint32_t>, uint32_t, T>;
    case lane_type::s32: return one<to_integer_op<int32_t>, int32_t, T>;
    case lane_type::u64: return one<to_integer_op<uint64_t>, uint64_t, T>;
    case lane_type::s64: return one<to_integer_op<int64_t>, int64_t, T>;
    case lane_type::f32: return one<canonical_op<extend_op<float>>, float, T>;
    case lane_type::f64: return one<extend_op<double>, double, T>;
    case lane_type::f16: return one<narrow_op<half>, uint16_t, T>;
    case lane_type::bf16: return one<narrow_op<bfloat>, uint16_t, T>;
    default: return nullptr;
  }
}

/// Integers to integers of 32 or 64 bits; 32- and 64-bit integers to floats and back; floats to floats.
inline lane_handler find_convert(lane_type to, lane_type from) {
  const bool to_float = to == lane_type::f32 || to == lane_type::f64;
  switch (from) {
    case lane_type::u8: return extend_from<uint8_t>(to);
    case lane_type::s8: return extend_from<int8_t>(to);
    case lane_type::u16: return extend_from<uint16_t>(to);
    case lane_type::s16: return extend_from<int16_t>(to);
    case lane_type::u32: return to_float ? float_from<uint32_t>(to) : extend_from<uint32_t>(to);
    case lane_type::s32: return to_float ? float_from<int32_t>(to) : extend_from<int32_t>(to);
    case lane_type::u64: return to_float ? float_from<uint64_t>(to) : extend_from<uint64_t>(to);
    case lane_type::s64: return to_float ? float_from<int64_t>(to) : extend_from<int64_t>(to);
    case lane_type::f32: return convert_float<float>(to);
    case lane_type::f64: return convert_float<double>(to);
    case lane_type::f16: return to == lane_type::f32 ? one<widen_op<half>, float, uint16_t> : nullptr;
    case lane_type::bf16: return to == lane_type::f32 ? one<widen_op<bfloat>, float, uint16_t> : nullptr;
  }
  return nullptr;
}

// How the elements of a matrix lie in 32-bit registers, and their values as f32.
#pragma once

#include <array>
#include <cstring>

#include <tg/base/config.hpp>
#include <tg/emulator/image/lane_op.hpp>
#include <tg/ptx/ir/type.hpp>

namespace tg::emulator {

/// Elements of at most 32 bits; their values are exact in f32.
struct matrix_element {
  std::uint32_t bits = 32;
  std::uint32_t kept = 0xffffffff;  // bits that count
  bool is_signed = false;
  lane_handler widen = nullptr;  // to f32; null: it is one

  std::size_t per_register() const { return 32 / bits; }

  /// values[s][lane] = element s of each lane's register. Requires: room for per_register() × 32.
  void unpack(const std::uint32_t* registers, float* values) const {
    alignas(64) std::array<std::uint32_t, 32> raw;
    for (std::uint32_t s = 0; s < per_register(); ++s, values += 32) {
      const std::uint32_t left = 32 - bits * (s + 1), right = 32 - bits;
      if (is_signed) {
        TG_INDEPENDENT
        for (std::size_t lane = 0; lane < 32; ++lane)
          raw[lane] = static_cast<std::uint32_t>(static_cast<std::int32_t>(registers[lane] << left) >> right);
      } else {
        TG_INDEPENDENT
        for (std::size_t lane = 0; lane < 32; ++lane) raw[lane] = ((registers[lane] << left) >> right) & kept;
      }
      if (widen == nullptr) {
        std::memcpy(values, raw.data(), sizeof raw);
      } else {
        std::byte* const slots[] = {reinterpret_cast<std::byte*>(values), reinterpret_cast<std::byte*>(raw.data())};
        widen(slots, 1);
      }
    }
  }
};

/// Elements of type `t`; `.tf32` counts the upper 19 bits of an f32.
inline matrix_element element_of(ptx::token t, const lane_code& lanes) {
  using enum ptx::token;
  const auto bits = static_cast<std::uint32_t>(t == tf32 ? 32 : ptx::width_bits(t));
  switch (t) {
    case f16: return {bits, 0xffff, false, lanes.find_convert(lane_type::f32, lane_type::f16)};
    case bf16: return {bits, 0xffff, false, lanes.find_convert(lane_type::f32, lane_type::bf16)};
    case e4m3: return {bits, 0xff, false, lanes.find(lane_op::widen_e4m3, lane_type::f32)};
    case e5m2: return {bits, 0xff, false, lanes.find(lane_op::widen_e5m2, lane_type::f32)};
    case tf32: return {bits, 0xffffe000, false, nullptr};
    case f32: return {bits, 0xffffffff, false, nullptr};
    case s8:
    case s4: return {bits, 0xffffffff, true, lanes.find_convert(lane_type::f32, lane_type::s32)};
    default: return {bits, 0xffffffff, false, lanes.find_convert(lane_type::f32, lane_type::u32)};
  }
}

}  // namespace tg::emulator

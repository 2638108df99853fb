// A matrix spread over the registers of a warp: gathered into a dense array of f32, and scattered from one.
#pragma once

#include <span>

#include <tg/emulator/image/matrix_step.hpp>
#include <tg/emulator/matrix/element.hpp>
#include <tg/emulator/matrix/fragment_layout.hpp>

namespace tg::emulator {

/// Registers of one matrix and what lies where in them.
struct fragment {
  dynamic_array<slot_ref> registers;
  fragment_layout layout;
  matrix_element element;

  /// dense[place] = value, for every element; of the `next`-th warp after the view's.
  void gather(const warp_view& view, std::uint32_t next, float* dense) const {
    alignas(64) std::array<float, 32 * 32> values;
    const std::size_t at_once = element.per_register() * 32;
    const std::uint16_t* place = layout.data();
    for (std::size_t r = 0; r * at_once < layout.size(); ++r, place += at_once) {
      element.unpack(view.words(registers[r], next), values.data());
      for (std::size_t i = 0; i < at_once; ++i) dense[place[i]] = values[i];
    }
  }
};

/// Accumulators: f32 or s32, one per register, or f16, two per register.
struct accumulator_fragment {
  dynamic_array<slot_ref> registers;
  fragment_layout layout;
  ptx::token type = ptx::token::f32;
  lane_handler widen = nullptr;   // of f16
  lane_handler narrow = nullptr;  // to f16

  /// dense[place] = the 32 bits of each f32 or s32, f16 widened.
  void gather(const warp_view& view, std::uint32_t next, std::uint32_t* dense) const {
    alignas(64) std::array<std::uint32_t, 32> low, high;
    const std::uint16_t* place = layout.data();
    for (std::size_t r = 0; r < registers.size(); ++r) {
      const std::uint32_t* const from = view.words(registers[r], next);
      if (type != ptx::token::f16) {
        for (std::size_t i = 0; i < 32; ++i) dense[*place++] = from[i];
        continue;
      }
      for (std::size_t i = 0; i < 32; ++i) low[i] = from[i] & 0xffff, high[i] = from[i] >> 16;
      for (std::uint32_t* half : {low.data(), high.data()}) {
        alignas(64) std::array<std::uint32_t, 32> wide;
        std::byte* const slots[] = {reinterpret_cast<std::byte*>(wide.data()), reinterpret_cast<std::byte*>(half)};
        widen(slots, 1);
        for (std::size_t i = 0; i < 32; ++i) dense[*place++] = wide[i];
      }
    }
  }

  /// The inverse; every NaN becomes the one that matrix units give.
  void scatter(const warp_view& view, std::uint32_t next, const std::uint32_t* dense) const {
    const std::uint16_t* place = layout.data();
    for (std::size_t r = 0; r < registers.size(); ++r) {
      std::uint32_t* const to = view.words(registers[r], next);
      if (type != ptx::token::f16) {
        for (std::size_t i = 0; i < 32; ++i) to[i] = dense[*place++];
        if (type == ptx::token::f32)
          for (std::size_t i = 0; i < 32; ++i) to[i] = (to[i] & 0x7fffffff) > 0x7f800000 ? 0x7fffffff : to[i];
        continue;
      }
      alignas(64) std::array<std::array<std::uint32_t, 32>, 2> wide, halves;
      for (std::size_t s = 0; s < 2; ++s) {
        for (std::size_t i = 0; i < 32; ++i) wide[s][i] = dense[*place++];
        std::byte* const slots[] = {reinterpret_cast<std::byte*>(halves[s].data()),
                                    reinterpret_cast<std::byte*>(wide[s].data())};
        narrow(slots, 1);
      }
      for (std::size_t i = 0; i < 32; ++i) to[i] = (halves[0][i] & 0xffff) | (halves[1][i] << 16);
    }
  }
};

}  // namespace tg::emulator

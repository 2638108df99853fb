// What a video instruction does, in the 32 bits that lane code reads from a constant slot.
#pragma once

#include <cstdint>

namespace tg::emulator {

struct video_recipe {
  enum class operation : std::uint8_t { add, sub, absdiff, min, max, average, shl, shr, eq, ne, lt, le, gt, ge, mad };

  operation how = operation::add;
  std::uint8_t elements = 1;  // 1, 2 or 4 per word
  bool a_signed = false;
  bool b_signed = false;
  bool d_signed = false;
  bool saturates = false;
  bool accumulates = false;      // the elements are added to c; else those outside the mask are c's
  bool adds_one = false;         // of mad
  bool negates_product = false;  // of mad
  bool negates_c = false;        // of mad
  std::uint8_t mask = 0xf;       // elements that take part
  std::uint8_t scale = 0;        // of mad: bits dropped
  std::uint8_t clamp_bits = 32;  // what saturation saturates to

  constexpr std::uint32_t coded() const {
    return static_cast<std::uint32_t>(how) | std::uint32_t{elements} << 4 | std::uint32_t{a_signed} << 7 |
           std::uint32_t{b_signed} << 8 | std::uint32_t{d_signed} << 9 | std::uint32_t{saturates} << 10 |
           std::uint32_t{accumulates} << 11 | std::uint32_t{adds_one} << 12 | std::uint32_t{negates_product} << 13 |
           std::uint32_t{negates_c} << 14 | std::uint32_t{mask} << 16 | std::uint32_t{scale} << 20 |
           std::uint32_t{clamp_bits} << 24;
  }
  static constexpr video_recipe from(std::uint32_t coded) {
    const auto field = [&](int at, int bits) { return static_cast<std::uint8_t>((coded >> at) & ((1u << bits) - 1)); };
    const auto flag = [&](int at) { return field(at, 1) != 0; };
    return {static_cast<operation>(field(0, 4)),
            field(4, 3),
            flag(7),
            flag(8),
            flag(9),
            flag(10),
            flag(11),
            flag(12),
            flag(13),
            flag(14),
            field(16, 4),
            field(20, 4),
            field(24, 6)};
  }
  friend bool operator==(const video_recipe&, const video_recipe&) = default;
};

}  // namespace tg::emulator

#include <tg/emulator/matrix/element.hpp>

#include <doctest/doctest.h>

#include <tg/emulator/lanes/vector_unit.hpp>

#include "warp_product.hpp"

TEST_CASE("every element of up to 16 bits has the value that its type says") {
  const auto lanes = tg::emulator::find_lane_code();
  const std::pair<tg::ptx::token, warp_product::type> all[] = {
      {tg::ptx::token::f16, warp_product::f16},   {tg::ptx::token::bf16, warp_product::bf16},
      {tg::ptx::token::e4m3, warp_product::e4m3}, {tg::ptx::token::e5m2, warp_product::e5m2},
      {tg::ptx::token::s8, warp_product::s8},     {tg::ptx::token::u8, warp_product::u8},
      {tg::ptx::token::s4, warp_product::s4},     {tg::ptx::token::u4, warp_product::u4},
      {tg::ptx::token::b1, warp_product::b1}};
  for (const auto& both : all) {
    const auto& type = both.second;
    const tg::emulator::matrix_element e = element_of(both.first, lanes);
    REQUIRE_EQ(e.bits, type.bits);
    const auto packed = static_cast<std::uint64_t>(e.per_register());
    for (std::uint64_t first = 0; first < std::uint64_t{1} << type.bits; first += 32 * packed) {
      std::uint32_t registers[32] = {};
      const auto raw = [&](std::uint64_t lane, std::uint64_t s) {
        return (first + lane * packed + s) & ((std::uint64_t{1} << type.bits) - 1);
      };
      for (std::uint64_t lane = 0; lane < 32; ++lane)
        for (std::uint64_t s = 0; s < packed; ++s)
          registers[lane] |= static_cast<std::uint32_t>(raw(lane, s) << (s * static_cast<std::uint64_t>(type.bits)));
      float values[32 * 32];
      e.unpack(registers, values);
      for (std::uint64_t lane = 0; lane < 32; ++lane)
        for (std::uint64_t s = 0; s < packed; ++s) {
          const double wanted = warp_product::value(type, raw(lane, s)), got = values[s * 32 + lane];
          REQUIRE((got == wanted || (std::isnan(got) && std::isnan(wanted))));
        }
    }
  }
}

TEST_CASE("tf32 ignores the lower bits of an f32") {
  const tg::emulator::matrix_element e = element_of(tg::ptx::token::tf32, tg::emulator::find_lane_code());
  const std::uint32_t registers[32] = {0x3f801fff, 0xbf802000, 0x7f800000};
  float values[32];
  e.unpack(registers, values);
  CHECK_EQ(values[0], 1.0f);
  CHECK_EQ(values[1], -1.0009765625f);
  CHECK(std::isinf(values[2]));
}

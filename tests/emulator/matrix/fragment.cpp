#include <tg/emulator/matrix/fragment.hpp>

#include <doctest/doctest.h>

#include <tg/emulator/lanes/vector_unit.hpp>

#include "warp_product.hpp"

using namespace tg::emulator;

TEST_CASE("accumulators survive being gathered and scattered; NaNs become one") {
  const lane_code lanes = find_lane_code();
  for (const tg::ptx::token type : {tg::ptx::token::f32, tg::ptx::token::f16, tg::ptx::token::s32}) {
    std::vector<std::uint32_t> frame(8 * 32);
    for (std::uint32_t& word : frame) word = static_cast<std::uint32_t>(warp_product::random_bits()());
    frame[0] = 0x7fc0fc01;
    warp_view view;
    view.frame = reinterpret_cast<std::byte*>(frame.data());
    view.stride = 128;
    const bool is_half = type == tg::ptx::token::f16;
    accumulator_fragment f{{},
                           layout_of_c({16, 8, 8}),
                           type,
                           lanes.find_convert(lane_type::f32, lane_type::f16),
                           lanes.find_convert(lane_type::f16, lane_type::f32)};
    for (std::uint32_t r = 0; r < (is_half ? 2u : 4u); ++r) f.registers.push_back({r, 4});
    std::uint32_t dense[128];
    const auto before = frame;
    f.gather(view, 0, dense);
    f.scatter(view, 0, dense);
    for (std::size_t k = 0; k < f.registers.size() * 32; ++k) {
      const auto canonical = [&](std::uint32_t word) -> std::uint32_t {
        if (type == tg::ptx::token::f32) return (word & 0x7fffffff) > 0x7f800000 ? 0x7fffffff : word;
        if (type == tg::ptx::token::s32) return word;
        const auto half = [](std::uint32_t h) { return (h & 0x7fff) > 0x7c00 ? 0x7fffu : h; };
        return half(word & 0xffff) | half(word >> 16) << 16;
      };
      REQUIRE_EQ(frame[k], canonical(before[k]));
    }
  }
}

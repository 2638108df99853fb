#include <tg/dsl/value/byte_permute.hpp>

#include "../word.hpp"

namespace {

using u32 = std::uint32_t;

u32 chosen(u32 a, u32 b, u32 selector) {
  const std::uint64_t bytes = std::uint64_t{b} << 32 | a;
  u32 out = 0;
  for (int k = 0; k < 4; ++k) {
    const u32 which = selector >> 4 * k & 15;
    u32 byte = static_cast<u32>(bytes >> 8 * (which & 7)) & 255;
    if (which >= 8) byte = byte >= 128 ? 255 : 0;
    out |= byte << 8 * k;
  }
  return out;
}

}  // namespace

TEST_CASE("a selector picks four of eight bytes, or their signs") {
  word::check<u32, u32>([](auto v) { return tg::byte_permute(v, word::second(v), word::third(v)); },
                        [](u32 v) { return chosen(v, word::second(v), word::third(v)); });
  word::check<u32, u32>([](auto v) { return tg::byte_permute<3, 2, 1, 0>(v, v); }, [](u32 v) { return chosen(v, v, 0x0123); });
  word::check<u32, u32>([](auto v) { return tg::byte_permute<5, 0, 7, 2>(v, word::second(v)); },
                        [](u32 v) { return chosen(v, word::second(v), 0x2705); });
}

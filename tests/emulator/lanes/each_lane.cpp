#include <tg/emulator/lanes/each_lane.hpp>

#include <doctest/doctest.h>

namespace {

struct difference {
  static uint32_t of(uint32_t a, uint32_t b) { return a - b; }
};
struct is_low {
  static bool of(int16_t a, int16_t b) { return a < b; }
};

}  // namespace

TEST_CASE("every lane of every warp is computed, also in place") {
  uint32_t a[96], b[96];
  for (uint32_t i = 0; i < 96; ++i) a[i] = 10 * i, b[i] = i;
  std::byte* in_place[] = {reinterpret_cast<std::byte*>(a), reinterpret_cast<std::byte*>(a), reinterpret_cast<std::byte*>(b)};
  two<difference, uint32_t>(in_place, 2);
  for (uint32_t i = 0; i < 96; ++i) CHECK_EQ(a[i], i < 64 ? 9 * i : 10 * i);
}

TEST_CASE("upper bits of narrow values mean nothing") {
  uint32_t a[32], b[32], p[32];
  for (uint32_t i = 0; i < 32; ++i) a[i] = 0xabcd0000u | i, b[i] = 0x12340000u | 16;
  std::byte* slots[] = {reinterpret_cast<std::byte*>(p), reinterpret_cast<std::byte*>(a), reinterpret_cast<std::byte*>(b)};
  test<is_low, int16_t>(slots, 1);
  for (uint32_t i = 0; i < 32; ++i) CHECK_EQ(p[i], i < 16 ? ~0u : 0u);
}

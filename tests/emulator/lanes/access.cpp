#include <tg/emulator/lanes/access.hpp>

#include <doctest/doctest.h>

TEST_CASE("gathering extends, scattering cuts down, the last lane wins") {
  using tg::emulator::lane_type;
  int8_t bytes[32];
  uint64_t at[32], wide[32];
  for (int i = 0; i < 32; ++i) bytes[i] = static_cast<int8_t>(-i), at[i] = static_cast<uint64_t>(31 - i);
  const auto base = reinterpret_cast<uint64_t>(bytes);
  gather(reinterpret_cast<std::byte*>(wide), 8, base, at, lane_type::s8);
  for (int i = 0; i < 32; ++i) CHECK_EQ(static_cast<int64_t>(wide[i]), -(31 - i));
  for (int i = 0; i < 32; ++i) at[i] = 0, wide[i] = 0x100 + static_cast<uint64_t>(i);
  scatter(base, at, reinterpret_cast<const std::byte*>(wide), 8, 1);
  CHECK_EQ(bytes[0], 31);
  CHECK_EQ(bytes[1], -1);
}

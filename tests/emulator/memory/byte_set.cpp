#include <tg/emulator/memory/byte_set.hpp>

#include <doctest/doctest.h>

using tg::emulator::check::byte_set;

TEST_CASE("a set of bytes agrees with an array of flags") {
  constexpr std::uint64_t size = 1000, origin = 4096;
  std::vector<std::uint8_t> bits(byte_set::storage_bytes(size));
  byte_set set(bits.data(), origin);
  std::vector<bool> flags(size);
  std::uint32_t random = 1;
  const auto next = [&](std::uint32_t below) {
    random = random * 1664525 + 1013904223;
    return (random >> 8) % below;
  };
  for (int round = 0; round < 3000; ++round) {
    const std::uint32_t count = next(4) == 0 ? next(300) : next(17), first = next(size - count);
    switch (next(4)) {
      case 0:
        set.insert(origin + first, count);
        for (std::uint32_t i = 0; i < count; ++i) flags[first + i] = true;
        break;
      case 1:
        set.erase(origin + first, count);
        for (std::uint32_t i = 0; i < count; ++i) flags[first + i] = false;
        break;
      case 2: {
        const std::uint32_t from = next(size - count);
        set.copy(origin + first, origin + from, count);
        const std::vector<bool> were = flags;
        for (std::uint32_t i = 0; i < count; ++i) flags[first + i] = were[from + i];
        break;
      }
      default: {
        bool all = true;
        for (std::uint32_t i = 0; i < count; ++i) all = all && flags[first + i];
        CHECK(set.holds(origin + first, count) == all);
      }
    }
  }
  for (std::uint64_t i = 0; i < size; ++i) CHECK(set.holds(origin + i, 1) == flags[i]);
}

TEST_CASE("one byte that is missing in a long range is found wherever it is") {
  std::vector<std::uint8_t> bits(byte_set::storage_bytes(600));
  byte_set set(bits.data());
  set.insert(0, 600);
  for (std::uint64_t missing = 0; missing < 600; ++missing) {
    set.erase(missing, 1);
    for (const std::uint64_t first : {0, 3, 8, 61})
      for (const std::uint64_t count : {65, 128, 200, 500})
        CHECK(set.holds(first, count) == (missing < first || missing >= first + count));
    set.insert(missing, 1);
  }
}

#include <tg/emulator/lanes/rows.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstring>

#include <tg/emulator/lanes/vector_unit.hpp>

using tg::emulator::lane_type;

TEST_CASE("rows are loaded and stored alike by every vector unit") {
  std::array<std::byte, 4096> from;
  for (std::size_t k = 0; k < from.size(); ++k) from[k] = static_cast<std::byte>(k * 37 + k / 256);
  for (const char* const unit : {"baseline", "avx2", "avx512"}) {
    const tg::emulator::lane_code code = tg::emulator::find_lane_code(unit);
    for (const std::int64_t step : {0, 1, 4, 12, -4})
      for (const std::size_t lanes : {16, 5, 64}) {
        const tg::emulator::row_steps rows{step, 64, lanes, 4};
        std::array<std::int32_t, 256> loaded{};
        code.load_rows(reinterpret_cast<std::byte*>(loaded.data()), 4, from.data() + 1024, rows, lane_type::s8);
        for (std::size_t k = 0; k < 4 * lanes; ++k) {
          const auto at = 1024 + static_cast<std::int64_t>(k / lanes) * 64 + static_cast<std::int64_t>(k % lanes) * step;
          CHECK(loaded[k] == static_cast<std::int8_t>(from[static_cast<std::size_t>(at)]));
        }
      }
    std::array<std::uint64_t, 64> slots;
    for (std::size_t k = 0; k < 64; ++k) slots[k] = 0x0101010101010101u * k;
    std::array<std::byte, 1024> to{};
    code.store_rows(to.data(), reinterpret_cast<const std::byte*>(slots.data()), 8, {6, 512, 32, 2}, 2);
    for (std::size_t k = 0; k < 64; ++k) CHECK(to[k / 32 * 512 + k % 32 * 6 + 1] == static_cast<std::byte>(k));
    CHECK(to[2] == std::byte{0});
  }
}

TEST_CASE("planes of rows lie apart in memory and in the slots") {
  for (const char* const unit : {"baseline", "avx2", "avx512"}) {
    const tg::emulator::lane_code code = tg::emulator::find_lane_code(unit);
    for (const std::int64_t step : {0, 4, 8})
      for (const std::size_t lanes : {16, 7}) {
        const tg::emulator::row_steps planes{step, 256, lanes, 2, 3, 1024, 40};
        std::array<std::uint32_t, 1024> memory, back{};
        for (std::uint32_t k = 0; k < 1024; ++k) memory[k] = k * 77;
        std::array<std::uint32_t, 128> slots{};
        code.load_rows(reinterpret_cast<std::byte*>(slots.data()), 4, reinterpret_cast<const std::byte*>(memory.data()), planes,
                       lane_type::u32);
        for (std::size_t p = 0; p < 3; ++p)
          for (std::size_t k = 0; k < 2 * lanes; ++k)
            CHECK(slots[p * 40 + k] == 77 * (p * 256 + k / lanes * 64 + k % lanes * static_cast<std::size_t>(step) / 4));
        CHECK(slots[2 * lanes] == 0);
        if (step == 0) continue;
        code.store_rows(reinterpret_cast<std::byte*>(back.data()), reinterpret_cast<const std::byte*>(slots.data()), 4, planes,
                        4);
        for (std::size_t k = 1; k < 1024; ++k) CHECK((back[k] == 0 || back[k] == memory[k]));
        CHECK(back[2 * 256 + 64] == memory[2 * 256 + 64]);
      }
  }
}

TEST_CASE("a sample says what each lane holds") {
  const tg::emulator::lane_code code = tg::emulator::find_lane_code();
  std::array<std::uint32_t, 32> sample{};
  sample[0] = 10, sample[1] = 13, sample[2] = 5, sample[3] = 110;
  std::array<std::uint32_t, 32> x{}, y{}, z{}, out{};
  for (std::uint32_t k = 0; k < 32; ++k) x[k] = k % 4, y[k] = k / 4 % 4, z[k] = k / 16;
  const std::uint32_t* const at[] = {x.data(), y.data(), z.data()};
  code.fill_even(reinterpret_cast<std::byte*>(out.data()), reinterpret_cast<const std::byte*>(sample.data()), 4, at, 1);
  for (std::uint32_t k = 0; k < 32; ++k) CHECK(out[k] == 10 + 3 * x[k] - 5 * y[k] + 100 * z[k]);
  code.fill_same(reinterpret_cast<std::byte*>(out.data()), reinterpret_cast<const std::byte*>(sample.data()), 4, 1);
  CHECK(out[31] == 10);
}

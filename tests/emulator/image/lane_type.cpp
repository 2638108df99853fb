#include <tg/emulator/image/lane_type.hpp>

#include <doctest/doctest.h>

using tg::emulator::lane_type;
using tg::ptx::token;

TEST_CASE("types of PTX become types of lane code") {
  using tg::emulator::to_lane_type;
  CHECK(to_lane_type(token::b8) == lane_type::u8);
  CHECK(to_lane_type(token::b16) == lane_type::u16);
  CHECK(to_lane_type(token::b32) == lane_type::u32);
  CHECK(to_lane_type(token::s64) == lane_type::s64);
  CHECK(to_lane_type(token::bf16) == lane_type::bf16);
  CHECK(to_lane_type(token::f64) == lane_type::f64);
  CHECK(to_lane_type(token::pred) == lane_type::u32);
}

TEST_CASE("what is known of a type of lane code") {
  CHECK(tg::emulator::is_signed(lane_type::s8));
  CHECK_FALSE(tg::emulator::is_signed(lane_type::u64));
  CHECK(tg::emulator::is_float(lane_type::f16));
  CHECK_FALSE(tg::emulator::is_float(lane_type::s64));
  CHECK(tg::emulator::width_bits(lane_type::bf16) == 16);
  CHECK(tg::emulator::width_bits(lane_type::f64) == 64);
}

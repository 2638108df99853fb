#include <tg/emulator/lanes/find_convert.hpp>

#include <doctest/doctest.h>

#include <initializer_list>

TEST_CASE("conversions exist between all numbers, halves by way of f32") {
  using enum lane_type;
  for (const lane_type from : {u32, s32, u64, s64, f32, f64})
    for (const lane_type to : {u32, s32, u64, s64, f32, f64}) CHECK((find_convert(to, from) != nullptr));
  for (const lane_type half : {f16, bf16}) {
    CHECK((find_convert(half, f32) != nullptr));
    CHECK((find_convert(half, f64) != nullptr));
    CHECK((find_convert(f32, half) != nullptr));
    CHECK((find_convert(f64, half) == nullptr));
  }
}

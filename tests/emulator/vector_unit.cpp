#include <tg/emulator/vector_unit.hpp>

#include <doctest/doctest.h>

#include <string_view>

TEST_CASE("a vector unit is found by its name, or the widest one is") {
  using tg::emulator::find_lane_code;
  const std::string_view widest = find_lane_code().name;
  CHECK((widest == "avx512" || widest == "avx2" || widest == "baseline"));
  CHECK(std::string_view(find_lane_code("baseline").name) == "baseline");
  CHECK(std::string_view(find_lane_code("avx512").name) == widest);
  CHECK((find_lane_code("baseline").find != nullptr));
}

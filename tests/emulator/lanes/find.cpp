#include <tg/emulator/lanes/find.hpp>

#include <doctest/doctest.h>

#include <initializer_list>

TEST_CASE("operations exist for the types that PTX has") {
  using enum lane_type;
  for (const lane_type t : {u16, s16, u32, s32, u64, s64, f32, f64})
    for (const lane_op op : {lane_op::add, lane_op::sub, lane_op::mul, lane_op::div, lane_op::min, lane_op::max, lane_op::eq,
                             lane_op::lt, lane_op::select, lane_op::copy})
      CHECK((find(op, t) != nullptr));
  for (const lane_op op : {lane_op::fma, lane_op::sqrt, lane_op::saturate, lane_op::neu}) {
    CHECK((find(op, u32) == nullptr));
    CHECK((find(op, f64) != nullptr));
  }
  CHECK((make_code("mine").find == &find));
}

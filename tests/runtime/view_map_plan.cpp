#include <tg/runtime/view_map_plan.hpp>

#include <doctest/doctest.h>

TEST_CASE("a kernel without maps has a plan that is empty") {
  tg::runtime::view_map_plan plan;
  CHECK(plan.is_empty());
  plan.maps.emplace_back();
  CHECK_FALSE(plan.is_empty());
}

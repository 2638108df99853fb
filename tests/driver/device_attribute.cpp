#include <tg/driver/device_attribute.hpp>

#include <doctest/doctest.h>

#include "enumerators.hpp"

TEST_CASE("every attribute of a device agrees with cuda.h, and none is left out") {
  const auto ours = toolkit::read("include/tg/driver/device_attribute.hpp");
  REQUIRE(ours);
  const auto enumerators = toolkit::enumerators_of(*ours);
  CHECK(enumerators.size() == 147);
  CHECK(static_cast<int>(tg::driver::device_attribute::cluster_launch) == 120);
  const auto cuda_h = toolkit::header("cuda.h");
  if (!cuda_h) {
    MESSAGE("skipped: no CUDA toolkit");
    return;
  }
  for (const auto& text : toolkit::disagreements(enumerators, *cuda_h)) FAIL_CHECK(text);
}

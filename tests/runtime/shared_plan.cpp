#include <tg/runtime/shared_plan.hpp>

#include <doctest/doctest.h>

#include <tg/runtime/shared_sizes.hpp>

TEST_CASE("without tiles nothing is asked for") {
  const tg::runtime::shared_plan none;
  CHECK(tg::runtime::shared_bytes_for("k", none, nullptr, {}) == 0);
}

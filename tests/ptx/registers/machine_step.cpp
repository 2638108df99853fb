#include <tg/ptx/registers/machine_step.hpp>

#include <doctest/doctest.h>

using namespace tg::ptx;

TEST_CASE("a step is an access by its order, or because it has an address") {
  machine_step s;
  CHECK_FALSE(s.is_access());
  s.order = step_order::load;
  CHECK(s.is_access());
  s.order = step_order::exchange;
  s.bytes = 16;
  CHECK_FALSE(s.is_access());
  s.base = machine_step::variables + 1;
  CHECK(s.is_access());
}

TEST_CASE("half of a pair has an odd number, and so has a word that is stored far away") {
  machine_steps all;
  all.widths = {1, 1, 2, 4};
  machine_step far;
  far.order = step_order::store;
  far.space = token::global;
  far.bytes = 4;
  far.stored = {0};
  machine_step near = far;
  near.space = token::shared;
  near.stored = {1};
  all.steps = {far, near};
  all.find_odd();
  CHECK(all.odd == tg::dynamic_array<std::uint8_t>{1, 0, 1, 2});
}

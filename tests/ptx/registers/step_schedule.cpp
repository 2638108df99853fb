#include <tg/ptx/registers/step_schedule.hpp>

#include <doctest/doctest.h>

using namespace tg::ptx;

namespace {

machine_step load(std::uint32_t to, std::int64_t offset) {
  return {.op = opcode::ld,
          .order = step_order::load,
          .space = token::global,
          .latency = 60,
          .base = 8,
          .offset = offset,
          .bytes = 4,
          .writes = {to}};
}

machine_step store(std::uint32_t from, token space, std::int64_t offset) {
  return {.op = opcode::st,
          .order = step_order::store,
          .space = space,
          .base = 8,
          .offset = offset,
          .bytes = 4,
          .reads = {from},
          .stored = {from}};
}

// Four loads, each of which is stored at once, so far behind: value k is register k.
tg::dynamic_array<machine_step> four_copies(token stored_to, std::int64_t behind = 4) {
  tg::dynamic_array<machine_step> out;
  for (std::uint32_t k = 0; k < 4; ++k) out.push_back(load(k, 4 * k)), out.push_back(store(k, stored_to, 4 * k + behind));
  out.push_back({.op = opcode::ret, .order = step_order::fence});
  return out;
}

block_pressure pressure_of(const tg::dynamic_array<machine_step>& steps, int limit, std::uint8_t width = 1,
                           std::uint8_t odd = 0) {
  const tg::dynamic_array<std::uint8_t> widths(9, width), odds(9, odd);
  return detail::step_scheduler(steps, widths, odds, limit).peak(live_set(widths), live_set(widths));
}

int peak_of(const tg::dynamic_array<machine_step>& steps, int limit, std::uint8_t width = 1) {
  return pressure_of(steps, limit, width).live;
}

}  // namespace

TEST_CASE("loads are hoisted over what does not touch their memory") {
  CHECK(peak_of(four_copies(token::shared), 24) == 4);
  CHECK(peak_of(four_copies(token::shared), 24, 2) == 8);
  CHECK(peak_of(four_copies(token::global), 24) == 1);
}

TEST_CASE("loads are hoisted over stores of other places from the same base") {
  CHECK(peak_of(four_copies(token::global, 64), 24) == 4);
  CHECK(peak_of(four_copies(token::global, 2), 24) == 1);
  auto moving = four_copies(token::global, 64);
  moving.insert(moving.begin() + 4, {.op = opcode::add, .writes = {8}, .reads = {8}});
  CHECK(peak_of(moving, 24) < 5);
}

TEST_CASE("registers are saved from the limit on") {
  CHECK(peak_of(four_copies(token::shared), 2) == 2);
  CHECK(peak_of(four_copies(token::shared), 1) == 1);
}

TEST_CASE("what a store may still read is not free, unless a call waits for it") {
  auto steps = four_copies(token::global);
  CHECK(pressure_of(steps, 24).held > pressure_of(steps, 24).live);
  CHECK(pressure_of(steps, 24, 1, 1).odd >= 2 * 2 + 2);
  CHECK(pressure_of(steps, 24, 1, 0).odd == 2);
  for (machine_step& s : steps) s.is_called = s.op == opcode::ld;
  CHECK(pressure_of(steps, 24).held == pressure_of(steps, 24).live);
}

TEST_CASE("a set knows what it takes") {
  const tg::dynamic_array<std::uint8_t> widths{1, 2, 0};
  live_set a(widths), b(widths);
  a.insert(0), a.insert(0), a.insert(2);
  b.insert(1);
  CHECK(a.taken() == 1);
  CHECK(a.add(b));
  CHECK_FALSE(a.add(b));
  CHECK(a.taken() == 3);
  a.erase(0), a.erase(0);
  CHECK(a.taken() == 2);
}

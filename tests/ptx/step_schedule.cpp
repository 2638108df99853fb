#include <tg/ptx/step_schedule.hpp>

#include <doctest/doctest.h>

using namespace tg::ptx;

namespace {

// Four loads, each of which is stored at once: value k is register k.
std::vector<machine_step> four_copies(token stored_to) {
  std::vector<machine_step> out;
  for (std::uint32_t k = 0; k < 4; ++k) {
    out.push_back({.op = opcode::ld, .order = step_order::load, .space = token::global, .latency = 60, .writes = {k}});
    out.push_back({.op = opcode::st, .order = step_order::store, .space = stored_to, .reads = {k}});
  }
  out.push_back({.op = opcode::ret, .order = step_order::fence});
  return out;
}

int peak_of(const std::vector<machine_step>& steps, int limit, std::uint8_t width = 1) {
  const std::vector<std::uint8_t> widths(4, width);
  return detail::step_scheduler(steps, widths, limit).peak(live_set(widths), live_set(widths));
}

}  // namespace

TEST_CASE("loads are hoisted over what does not touch their memory") {
  CHECK(peak_of(four_copies(token::shared), 24) == 4);
  CHECK(peak_of(four_copies(token::shared), 24, 2) == 8);
  CHECK(peak_of(four_copies(token::global), 24) == 1);
}

TEST_CASE("registers are saved from the limit on") {
  CHECK(peak_of(four_copies(token::shared), 2) == 2);
  CHECK(peak_of(four_copies(token::shared), 1) == 1);
}

TEST_CASE("a set knows what it takes") {
  const std::vector<std::uint8_t> widths{1, 2, 0};
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

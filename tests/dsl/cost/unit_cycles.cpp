#include <tg/dsl/cost/unit_cycles.hpp>

#include <doctest/doctest.h>

#include <tg/analysis/device_table.hpp>

namespace {

constexpr tg::analysis::device_figures machine{"one", 80, 2, {}, 1000, 64, 1, 0, {0, 0, 8, 0, 0, 0}, ""};

}  // namespace

TEST_CASE("each unit takes its own work, at its own rate") {
  tg::cost_figures c;
  c.instructions = 400;
  c.wavefronts = 70;
  c.sectors_best = 3;
  c.multiply_adds = 4000;
  const tg::unit_cycles busy = tg::busy_cycles(c, tg::ptx::token::f16, machine);
  CHECK(busy[tg::machine_unit::issue] == 100);
  CHECK(busy[tg::machine_unit::shared_memory] == 70);
  CHECK(busy[tg::machine_unit::global_memory] == doctest::Approx(3));  // 64 GB/s over 2 x 1 GHz: 32 bytes each
  CHECK(busy[tg::machine_unit::tensor_core] == doctest::Approx(2));    // 8 TFLOP/s: 2000 products each
  CHECK(busy.total() == doctest::Approx(175));
  CHECK(busy.busiest() == tg::machine_unit::issue);
  CHECK(tg::busy_cycles(c, tg::ptx::token::none, machine)[tg::machine_unit::tensor_core] == 0);
}

TEST_CASE("each type of factor has its peak") {
  const auto& h100 = *tg::analysis::find_device("H100");
  CHECK(tg::tensor_peak(h100, tg::ptx::token::bf16) == h100.tensor.bf16);
  CHECK(tg::tensor_peak(h100, tg::ptx::token::e4m3) == h100.tensor.f8);
  CHECK(tg::tensor_peak(h100, tg::ptx::token::u8) == h100.tensor.s8);
  CHECK(tg::tensor_peak(h100, tg::ptx::token::f32) == 0);
}

#include <tg/explain/explain.hpp>

#include <doctest/doctest.h>

#include <kernels/transpose.hpp>
#include <tg/dsl/cost.hpp>
#include <tg/emulator/counters.hpp>
#include <tg/emulator/driver_table.hpp>
#include <tg/tg.hpp>

using namespace tg::kernels;

namespace {

tg::emulator::counters counted_transpose(const auto& kernel) {
  tg::device gpu("emulator");
  auto a = gpu.zeros<float>(64 * 64), b = gpu.zeros<float>(64 * 64);
  tg::emulator::count_launches(true);
  gpu.launch(kernel, transpose_grid(64, 64), tg::matrix(a, 64, 64, 64), tg::matrix(b, 64, 64, 64), 64, 64);
  gpu.synchronize();
  tg::emulator::count_launches(false);
  return tg::emulator::counters_of_last_launch();
}

// The numbers of a report are those of the cost, of the analysis and of the emulator.
template <class K>
void check(const K& kernel) {
  CAPTURE(K::name);
  const tg::explanation e = tg::explain(kernel, "H100", 4).measured(counted_transpose(kernel));
  const tg::kernel_cost cost = tg::cost(kernel, 4);
  tg::cost_figures lines;
  for (const auto& l : e.lines) lines += l.cost;
  for (const auto& [name, figure] : tg::cost_figure_names) {
    const auto what = name;  // clang 14 captures no bindings
    CAPTURE(what);
    CHECK(e.cost.*figure == cost.*figure);
    CHECK(lines.*figure == cost.*figure);
  }
  CHECK(e.findings.size() == tg::analyze(kernel).verdicts().size());
  std::uint64_t sectors = 0, wavefronts = 0, ran_sectors = 0;
  for (const auto& a : e.accesses) {
    REQUIRE(a.lanes.has_value());
    REQUIRE(a.measured->requests == 4 * 8 * a.instructions.size());
    const auto drawn = static_cast<std::uint32_t>(a.judged.is_shared ? tg::analysis::count_shared(*a.lanes).wavefronts
                                                                     : tg::analysis::count_global(*a.lanes).sectors);
    CHECK(a.measured->least == drawn);
    CHECK(a.measured->most == drawn);
    (a.judged.is_shared ? wavefronts : sectors) += a.measured->total;
  }
  for (const auto& l : e.lines)
    if (l.measured) ran_sectors += l.measured->sectors;
  CHECK(sectors == cost.sectors_best);
  CHECK(ran_sectors == cost.sectors_best);
  CHECK(wavefronts == cost.wavefronts);
}

}  // namespace

TEST_CASE("a report on a clean kernel has the numbers of cost, analysis and emulator") {
  check(transpose_swizzled);
  CHECK(tg::explain(transpose_swizzled, "H100").bad_accesses() == 0);
}

TEST_CASE("a report on a kernel with conflicts, and on one that is not coalesced, has them too") {
  check(transpose_tiled);
  check(transpose_naive);
  CHECK(tg::explain(transpose_tiled, "H100").bad_accesses() == 4);
}

TEST_CASE("a target that is not known is refused") {
  CHECK_THROWS_WITH_AS(tg::explain(transpose_naive, "H101"), doctest::Contains("TG174"), tg::error);
}

#include <tg/explain/explain.hpp>

#include <doctest/doctest.h>

#include <kernels/transpose.hpp>
#include <kernels/transpose_steps.hpp>
#include <tg/dsl.hpp>
#include <tg/dsl/async/async_copy.hpp>
#include <tg/dsl/async/async_groups.hpp>
#include <tg/dsl/cost/cost.hpp>
#include <tg/emulator/counters/counters.hpp>
#include <tg/emulator/driver_table/driver_table.hpp>
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
template <class K> void check(const K& kernel) {
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

using namespace tg::literals;

namespace {

constexpr auto copying = tg::kernel<"copying">(tg::block<64>, [](auto block, tg::in<float> x, tg::out<float> y) {
  const auto tile = tg::shared<float>(tg::shape<256>);
  const auto i = block.thread.x;
  tg::async_copy(tile.template vec<4>(i * 4_c), x.template vec<4>(i * 4_c));
  tg::async_groups start;
  auto one = start.commit();
  (void)one.wait();
  block.sync();
  y(i) = tile(i);
});
// The whole warp moves 8 sectors and wastes nothing, the half one 8 where 4 would do.
constexpr auto unlike = tg::kernel<"unlike">(tg::block<48>, [](auto block, tg::in<float, tg::aligned<32>> x, tg::out<float> y) {
  const auto i = block.thread.x;
  y(i) = x.vec<2>(i * 2_c * (1_c + i / 32_c), tg::allow<tg::TG202>("a subject"))(0);
});

}  // namespace

TEST_CASE("accesses that are alike are one, and PTX is linked to its line") {
  const tg::explanation e = tg::explain(tg::kernels::transpose_naive, "H100");
  REQUIRE(e.accesses.size() == 2);
  CHECK(e.accesses[0].instructions.size() == 4);
  CHECK(e.accesses[1].instructions.size() == 4);
  CHECK(e.accesses[1].is_bad());
  CHECK(e.accesses[1].fix.find("rows of the matrix apart") != std::string::npos);
  CHECK(e.bad_accesses() == 4);
  std::size_t instructions = 0, linked = 0;
  for (const auto& p : e.ptx) {
    CHECK(p.text.find(".loc") == std::string::npos);
    instructions += p.instruction != tg::ptx::no_index;
    if (p.source == tg::ptx::no_index) continue;
    ++linked;
    CHECK(e.lines.at(p.source).is_used);
    if (p.text.find("st.global") != std::string::npos)
      CHECK(e.lines[p.source].text.find("b(col, row, tg::allow") != std::string::npos);
  }
  CHECK(linked >= instructions);
  CHECK(instructions > 20);
}

TEST_CASE("where warps differ the worst is shown, and what all of them move") {
  const tg::explanation e = tg::explain(unlike, "H100");
  REQUIRE(e.accesses.size() == 2);
  CHECK(e.accesses[0].judged.global.ideal_sectors == 4);
  CHECK(e.accesses[0].block_total == 8 + 8);
  REQUIRE(e.accesses[0].lanes.has_value());
  CHECK(e.accesses[0].lanes->active == 0xffff);
  CHECK(e.accesses[1].block_total == 4 + 2);
  for (const auto& a : tg::explain(tg::kernels::transpose_naive, "H100").accesses) CHECK(a.block_total == 0);
}

TEST_CASE("an asynchronous copy is a load and a store") {
  const tg::explanation e = tg::explain(copying, "sm_80");
  CHECK(e.device.name == "A100");
  REQUIRE(e.accesses.size() == 4);
  CHECK(e.accesses[0].kind == "copy");
  CHECK_FALSE(e.accesses[0].judged.is_shared);
  CHECK(e.accesses[1].judged.is_shared);
  CHECK(e.accesses[1].object == "tile0");
  REQUIRE(e.accesses[0].lanes.has_value());
  REQUIRE(e.accesses[1].lanes.has_value());
  CHECK(tg::analysis::count_global(*e.accesses[0].lanes).sectors == 16);
  CHECK(tg::analysis::count_shared(*e.accesses[1].lanes).wavefronts == 4);
}

TEST_CASE("a GPU that cannot run the kernel, and no blocks, are refused") {
  const auto for_hopper = tg::kernel<"hopper">(tg::block<128> | tg::cluster<2>,
                                               [](auto block, tg::out<float> y) { y(block.global_index()) = 1.0f; });
  const auto says = [&](std::string_view target, std::uint64_t blocks) -> std::string {
    try {
      (void)tg::explain(for_hopper, target, blocks);
    } catch (const tg::error& e) { return e.what(); }
    return {};
  };
  CHECK(says("H100", 1).empty());
  CHECK(says("A100", 1).starts_with("TG506: 'hopper' is made for sm_90"));
  CHECK(says("A100", 1).find("is sm_80") != std::string::npos);
  CHECK(says("H100", 0).starts_with("TG521"));
}

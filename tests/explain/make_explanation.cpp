#include <tg/explain/make_explanation.hpp>

#include <doctest/doctest.h>

#include <kernels/transpose.hpp>
#include <tg/dsl.hpp>
#include <tg/dsl/async_copy.hpp>
#include <tg/dsl/async_groups.hpp>

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

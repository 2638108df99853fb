// Every kernel here before every judge: its text, and the analysis of races, barriers, shared memory and extents.
#include <set>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include <kernels/attention_backward.hpp>
#include <kernels/attention_f8.hpp>
#include <kernels/attention_tiles.hpp>
#include <kernels/block_formats.hpp>
#include <kernels/dequantising_gemm.hpp>
#include <kernels/gemm.hpp>
#include <kernels/rms_swiglu.hpp>
#include <registry/entry.hpp>
#include <tg/dsl/kernel/trace.hpp>

#include "../house/sources.hpp"
#include "../ptx/text_judge.hpp"

namespace {

/// Calls `ask(analysis)` for each kernel of the registry whose writes are proved so far.
template <class Ask> void each_placed(registry::placing writes, Ask ask) {
  for (const auto& row : registry::entries())
    if (row->known.writes == writes) ask(row->analyze());
}

/// A * B by the warpgroups of sm_90.
inline constexpr auto product_by_groups = tg::kernels::gemm<tg::bf16>(tg::kernels::gemm_sums, tg::for_sm<90>);

/// What queries see.
inline constexpr tg::kernels::attention_options causal{.causal = true}, window{.causal = true, .window = 1024};

/// Calls `ask(kernel)` for each text that is for sm_90 alone.
template <class Ask> void each_for_sm_90(Ask ask) {
  ask(product_by_groups);
  ask(tg::kernels::attention_tiles<tg::bf16, 64, causal, 90>);
  ask(tg::kernels::attention_tiles<tg::bf16, 256, window, 90>);
  ask(tg::kernels::attention_f8<tg::bf16, 64, causal, 90>);
  ask(tg::kernels::attention_key_gradient<tg::bf16, 64, causal, 90>);
  ask(tg::kernels::dequantising_gemm<tg::kernels::q4k_weights, tg::bf16, 64, 90>);
  ask(tg::kernels::rms_swiglu<tg::bf16, 90>);
  ask(tg::kernels::attention_tiles<tg::bf16, 96, causal, 90>);
}

}  // namespace

// Texts are the same whatever checks their runs, so that runs with checkers leave these out.
TEST_SUITE_BEGIN("texts");

TEST_CASE("the text of each kernel is read back as its module, verifies and assembles for each GPU") {
  tg::ptx::test::say_whether_ptxas_judges();
  for (const auto& row : registry::entries()) {
    CAPTURE(row->name);
    const auto lowered = row->lower();
    const auto complaints = tg::ptx::test::text_complaints(lowered.module, lowered.ptx, row->known.least_sm);
    for (const auto& complaint : complaints) FAIL_CHECK(complaint);
  }
}

TEST_CASE("no kernel is left out") {
  std::string headers;
  for (const auto& file : house::sources_in({"kernels"}, {".hpp"})) headers += file.text;
  const std::string_view maker = "tg::kernel<\"";
  std::set<std::string> written, judged;
  for (auto at = headers.find(maker); at != headers.npos; at = headers.find(maker, at + 1)) {
    const auto begin = at + maker.size();
    written.insert(headers.substr(begin, headers.find('"', begin) - begin));
  }
  for (const auto& row : registry::entries()) judged.emplace(row->name);
  CHECK(written == judged);
}

TEST_CASE("nothing is refuted in any kernel, every kernel is free of races, and little is unknown") {
  std::size_t answers = 0, unknown = 0;
  each_placed(registry::placing::proved, [&](const tg::kernel_analysis& found) {
    INFO(found.text());
    CHECK(found.refuted().empty());
    CHECK(found.race_free());
    CHECK(found.barriers_met());
    answers += found.verdicts().size();
    unknown += found.unknown().size();
  });
  MESSAGE("unknown: ", unknown, " of ", answers, " answers, ",
          100.0 * static_cast<double>(unknown) / static_cast<double>(answers), " %");
  CHECK(unknown * 10 < answers);
}

TEST_CASE("where threads write as data or sizes say, only races between them are unknown") {
  each_placed(registry::placing::by_data, [](const tg::kernel_analysis& found) {
    INFO(found.text());
    CHECK(found.refuted().empty());
    CHECK(found.barriers_met());
    for (const tg::finding& f : found.unknown()) CHECK(f.question == tg::question::global_race);
  });
}

TEST_CASE("of permutations by data it is unknown where they write, not who comes to barriers") {
  each_placed(registry::placing::permuted, [](const tg::kernel_analysis& found) {
    INFO(found.text());
    CHECK(found.refuted().empty());
    CHECK(found.barriers_met());
  });
}

TEST_CASE(
    "texts for sm_90 assemble, and all is proved of them but that rings of large tiles are written before they are read") {
  each_for_sm_90([](const auto& kernel) {
    CAPTURE(kernel.name);
    const std::string text = tg::lower(kernel).ptx;
    CHECK(text.find("wgmma.mma_async") != text.npos);
    if (tg::ptx::test::has_ptxas()) {
      const auto verdict = tg::ptx::test::ask_ptxas(text, "sm_90a");
      CHECK_MESSAGE(verdict.accepted, verdict.log);
    }
    const tg::kernel_analysis found = tg::analyze(kernel);
    INFO(found.text());
    CHECK(found.refuted().empty());
    CHECK(found.barriers_met());
    CHECK(found.race_free());
    for (const tg::finding& f : found.unknown()) CHECK(f.question == tg::question::initialized);
    CHECK((found.unknown().empty() || !tg::trace(kernel).module.tiles.empty()));
  });
}

TEST_SUITE_END();

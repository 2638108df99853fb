// Every kernel here before the analysis of races, barriers, shared memory and extents: nothing is refuted.
#include <doctest/doctest.h>

#include <tg/dsl/analyze.hpp>

#include "shipped.hpp"

TEST_CASE("nothing is refuted in any kernel, every kernel is free of races, and little is unknown") {
  std::size_t answers = 0, unknown = 0;
  shipped::each([&](const auto& kernel) {
    const tg::kernel_analysis found = tg::analyze(kernel);
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

#include <tg/runtime/demand.hpp>

#include <doctest/doctest.h>

using tg::runtime::demand;
using tg::runtime::supply;

namespace {

std::optional<demand> demand_of(const std::string& body, const supply& has, const std::string& directives = "") {
  tg::ptx::line_map lines;
  const auto m = tg::ptx::parse(".version 8.6\n.target sm_100a\n.address_size 64\n.file 1 \"k.cpp\"\n.visible .entry k()" +
                                    directives + "\n{\n.reg .b32 %r<4>;\n" + body + "ret;\n}\n",
                                lines);
  return tg::runtime::first_demand(m, lines, has);
}

}  // namespace

TEST_CASE("the first instruction that asks for too much is named") {
  const std::string body = ".loc 1 10 0\nmov.u32 %r1, 1;\n.loc 1 11 0\ngriddepcontrol.wait;\n.loc 1 12 "
                           "0\ngriddepcontrol.launch_dependents;\n";
  const auto found = demand_of(body, {{7, 4}, 90});
  REQUIRE(found);
  CHECK(found->what == "griddepcontrol.wait");
  CHECK(found->file == "k.cpp");
  CHECK(found->line == 11);
  CHECK(found->ptx_line == 11);
  CHECK(found->need.isa == 78);
  CHECK(demand_of(body, {{8, 0}, 80})->line == 11);
  CHECK_FALSE(demand_of(body, {{7, 8}, 90}));
}

TEST_CASE("a special register asks too") {
  CHECK(demand_of("mov.u32 %r1, %cluster_ctarank;\n", {{9, 0}, 80})->what == "mov.u32");
  CHECK_FALSE(demand_of("mov.u32 %r1, %cluster_ctarank;\n", {{9, 0}, 90}));
}

TEST_CASE("the directives of a kernel ask too") {
  const auto found = demand_of("", {{9, 0}, 80}, " .reqnctapercluster 2, 1, 1");
  REQUIRE(found);
  CHECK(found->what == "its cluster directives");
  CHECK_FALSE(demand_of("", {{9, 0}, 90}, " .reqnctapercluster 2, 1, 1"));
}

#include <tg/emulator/driver_table/merge_modules.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include <tg/ptx/parse/parse.hpp>
#include <tg/ptx/print/print.hpp>

#include "../runner.hpp"

using tg::emulator::entry::module_merger;

namespace {

std::string text_of(const std::string& body, const std::string& head = "7.0\n.target sm_70") {
  return ".version " + head + "\n.address_size 64\n" + body;
}

}  // namespace

TEST_CASE("private names stay apart, weak definitions give way, versions grow") {
  module_merger merger;
  merger.add(tg::ptx::parse(text_of(".global .u32 own = 1;\n.weak .global .u32 soft = 1;\n"
                                    ".visible .global .u64 a = own;\n")));
  merger.add(tg::ptx::parse(text_of(".global .u32 own = 2;\n.visible .global .u32 soft = 2;\n"
                                    ".visible .global .u64 b = own;\n",
                                    "8.0\n.target sm_90")));
  const tg::ptx::module& m = merger.merged();
  CHECK(m.sm == 90);
  CHECK(m.version.major == 8);
  REQUIRE(m.variables.size() == 5);
  CHECK(tg::ptx::parse(tg::ptx::print(m)) == m);
  const auto variable = [&](std::string_view name) {
    const auto found = std::ranges::find(m.variables, name, &tg::ptx::variable::name);
    REQUIRE(found != m.variables.end());
    return *found;
  };
  const auto own_of = [&](std::string_view name) { return m.variables[variable(name).relocations[0].target.id]; };
  CHECK(variable("soft").initial[0] == std::byte{2});
  CHECK(own_of("a").initial[0] == std::byte{1});
  CHECK(own_of("b").initial[0] == std::byte{2});
}

TEST_CASE("two definitions of one visible name are refused") {
  module_merger merger;
  const auto one = tg::ptx::parse(text_of(".visible .global .u32 twice = 1;\n"));
  merger.add(one);
  CHECK(runner::has(runner::failure([&] { merger.add(one); }), "TG470"));
}

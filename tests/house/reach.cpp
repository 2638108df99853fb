// What the light umbrella headers reach: compile time is a feature.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sources.hpp"

namespace {

using house::complaints;
using house::source;

/// The ways from `start` through the project's headers to a heavy one: `tg/dsl.hpp > tg/dsl/a.hpp > range/v3/...`.
complaints ways_to(std::string_view heavy, const std::string& start, const std::vector<source>& files) {
  std::map<std::string, const source*> by_target;
  for (const auto& file : files) by_target[house::target_of(file.path)] = &file;
  complaints out;
  std::set<std::string> seen{start};
  std::vector<std::pair<std::string, std::string>> open{{start, start}};
  while (!open.empty()) {
    const auto [target, way] = open.back();
    open.pop_back();
    const auto file = by_target.find(target);
    if (file == by_target.end()) continue;
    for (const auto& line : house::includes_of(*file->second)) {
      const auto next = way + " > " + line.target;
      if (line.target.starts_with(heavy)) out.push_back(next);
      if (seen.insert(line.target).second) open.emplace_back(line.target, next);
    }
  }
  return out;
}

/// Umbrellas of other libraries that no header needs.
complaints heavy_includes(const std::vector<source>& files) {
  complaints out;
  for (const auto& file : files) {
    for (const auto& line : house::includes_of(file)) {
      if (line.target == "boost/hana.hpp" || line.target == "range/v3/all.hpp") {
        out.push_back(house::at_line(file, line.line) + "<" + line.target + ">: include what is used");
      }
    }
  }
  return out;
}

/// Headers of the language and the runtime in tables of a page, with their path from `tg/dsl` or `tg/runtime` on.
std::vector<std::string> listed_headers(std::string_view markdown) {
  std::vector<std::string> out;
  for (const std::string& line : house::lines_of(std::string(markdown))) {
    if (!line.starts_with("| `")) continue;
    const std::string_view cell = std::string_view(line).substr(0, line.find('|', 1));
    for (std::size_t at = cell.find('`'); at != std::string_view::npos;) {
      const std::size_t end = cell.find('`', at + 1);
      if (end == std::string_view::npos) break;
      const std::string_view name = cell.substr(at + 1, end - at - 1);
      if (name.ends_with(".hpp") && !name.starts_with("tg/") && !name.starts_with("kernels/")) out.emplace_back(name);
      at = cell.find('`', end + 1);
    }
  }
  return out;
}

/// Listed headers that `start` does not reach.
complaints unreached(const std::string& start, std::string_view markdown, const std::vector<source>& files) {
  complaints out;
  for (const std::string& name : listed_headers(markdown))
    if (ways_to("tg/dsl/" + name, start, files).empty() && ways_to("tg/runtime/" + name, start, files).empty())
      out.push_back(start + " does not have " + name);
  return out;
}

}  // namespace

TEST_CASE("tg/tg.hpp has every word and object of the tables of headers") {
  const std::string markdown = house::read("docs/pages/guide/headers.md");
  CHECK(listed_headers(markdown).size() > 50);
  for (const auto& complaint : unreached("tg/tg.hpp", markdown, house::headers())) FAIL_CHECK(complaint);
}

TEST_CASE("a word that tg/tg.hpp lacks is found") {
  const std::vector<source> files{{"include/tg/tg.hpp", "#include <tg/dsl/a.hpp>"}, {"include/tg/dsl/a.hpp", ""}};
  CHECK(unreached("tg/tg.hpp", "| `a.hpp` | words |\n| `tg/x.hpp` | path |\n", files).empty());
  CHECK(unreached("tg/tg.hpp", "| `a.hpp`, `b.hpp` | words |\n", files) == complaints{"tg/tg.hpp does not have b.hpp"});
}

TEST_CASE("tg/tg.hpp does not reach what structs need of Boost.Hana") {
  const auto files = house::headers();
  for (const auto& way : ways_to("boost/hana/tuple", "tg/tg.hpp", files)) FAIL_CHECK(way);
  CHECK_FALSE(ways_to("boost/hana/tuple", "tg/dsl/structs/struct_element.hpp", files).empty());
}

TEST_CASE("only tg/library.hpp gives a program the emulator") {
  const auto files = house::headers();
  for (const std::string start : {"tg/tg.hpp", "tg/gpu_library.hpp", "tg/array_library.hpp"})
    for (const auto& way : ways_to("tg/emulator", start, files)) FAIL_CHECK(way);
  CHECK_FALSE(ways_to("tg/emulator/driver_table/driver_table.inl", "tg/library.hpp", files).empty());
}

TEST_CASE("tg/dsl.hpp and tg/analysis.hpp do not reach range-v3") {
  const auto files = house::headers();
  for (const std::string start : {"tg/dsl.hpp", "tg/analysis.hpp"}) {
    const bool is_there = std::ranges::any_of(files, [&](const source& file) { return file.path == "include/" + start; });
    CHECK_MESSAGE(is_there, start);
    for (const auto& way : ways_to("range/v3/", start, files)) FAIL_CHECK(way);
  }
}

TEST_CASE("no header includes the whole of another library") {
  for (const auto& complaint : heavy_includes(house::headers())) FAIL_CHECK(complaint);
}

TEST_CASE("a way to range-v3 is found through other headers") {
  const std::vector<source> files{
      {"include/tg/dsl.hpp", "#include <tg/dsl/a.hpp>\n#include <tg/dsl/b.hpp>"},
      {"include/tg/dsl/a.hpp", "#include <tg/dsl.hpp>\n#include <vector>"},
      {"include/tg/dsl/b.hpp", "#include <range/v3/view/zip.hpp>"},
  };
  CHECK(ways_to("range/v3/", "tg/dsl.hpp", files) == complaints{"tg/dsl.hpp > tg/dsl/b.hpp > range/v3/view/zip.hpp"});
  CHECK(ways_to("range/v3/", "tg/dsl/a.hpp", {files[1]}).empty());
}

TEST_CASE("an include of a whole library is found") {
  CHECK(heavy_includes({{"kernels/a.hpp", "#include <boost/hana.hpp>"}}).size() == 1);
  CHECK(heavy_includes({{"kernels/a.hpp", "#include <boost/hana/tuple.hpp>"}}).empty());
}

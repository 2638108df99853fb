// Who may include whom: a header sees its own folder and lower floors.
#include <doctest/doctest.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sources.hpp"

namespace {

using house::complaints;
using house::source;

struct folder {
  std::string_view name;
  int floor;
};

constexpr std::array floors{
    folder{"base", 0},     folder{"layout", 1}, folder{"ptx", 1},     folder{"driver", 1}, folder{"analysis", 2},
    folder{"emulator", 3}, folder{"dsl", 4},    folder{"tree", 5},    folder{"tile", 6},   folder{"runtime", 7},
    folder{"explain", 8},  folder{"array", 8},  folder{"kernels", 9},
};

/// The folder that a header belongs to; `<tg/dsl.hpp>`, which includes a folder, belongs to that folder.
std::optional<folder> folder_of(std::string_view header) {
  if (header.starts_with("include/")) header.remove_prefix(std::string_view("include/").size());
  if (header.starts_with("tg/")) header.remove_prefix(std::string_view("tg/").size());
  const auto name = header.substr(0, header.find_first_of("/."));
  for (const auto& known : floors) {
    if (known.name == name) return known;
  }
  return std::nullopt;
}

bool is_ours(std::string_view target) { return target.starts_with("tg/") || target.starts_with("kernels/"); }

/// Why `from` (a path) may not include `target`; empty when it may.
std::string objection(std::string_view from, std::string_view target) {
  constexpr std::string_view all = "tg/tg.hpp";
  if (from == "include/tg/tg.hpp" || (from.starts_with("include/tg/") && from.ends_with("library.hpp")))
    return target.starts_with("kernels/") ? "the library does not know its kernels" : "";
  const auto here = folder_of(from);
  if (!here) return "no floor has this folder";
  if (from.starts_with("kernels/arrays/")) {
    return target == "tg/array.hpp" || target.starts_with("tg/array/") || target.starts_with("tg/runtime/") ||
                   target.starts_with("tg/dsl/") || target.starts_with("kernels/")
               ? ""
               : "a function of arrays sees <tg/array.hpp>, headers of array, runtime and dsl, and kernels only";
  }
  if (here->name == "kernels") {
    if (target.starts_with("kernels/arrays/")) return "a kernel does not know the functions that launch it";
    return target == "tg/dsl.hpp" || target.starts_with("tg/dsl/") || target == "tg/tile.hpp" ||
                   target == "tg/runtime/grid.hpp" || target.starts_with("kernels/")
               ? ""
               : "a kernel sees <tg/dsl.hpp>, words of <tg/dsl/>, <tg/tile.hpp> and <tg/runtime/grid.hpp> only";
  }
  if (target == all) return "<tg/tg.hpp> is for users";
  const auto there = folder_of(target);
  if (!there) return "no floor has <" + std::string(target) + ">";
  if (here->name == there->name) return "";
  if (here->floor <= there->floor) {
    return std::string(there->name) + " (floor " + std::to_string(there->floor) + ") is not below " + std::string(here->name) +
           " (floor " + std::to_string(here->floor) + ")";
  }
  if (here->name == "analysis" && there->name == "ptx") return "analysis does not know ptx";
  if (here->name == "emulator" && there->name == "driver" && target != "tg/driver/api.hpp" &&
      target != "tg/driver/emulated.hpp") {
    return "emulator and driver meet in <tg/driver/api.hpp> and <tg/driver/emulated.hpp> only";
  }
  return "";
}

complaints floor_complaints(const std::vector<source>& files) {
  complaints out;
  for (const auto& file : files) {
    for (const auto& line : house::includes_of(file)) {
      if (line.is_quoted) {
        out.push_back(house::at_line(file, line.line) + "\"" + line.target + "\": write <tg/...> or <kernels/...>");
      } else if (is_ours(line.target)) {
        const auto why = objection(file.path, line.target);
        if (!why.empty()) out.push_back(house::at_line(file, line.line) + why);
      }
    }
  }
  return out;
}

}  // namespace

TEST_CASE("headers include lower floors only") {
  const auto files = house::headers();
  REQUIRE(files.size() > 10);
  for (const auto& complaint : floor_complaints(files)) FAIL_CHECK(complaint);
}

TEST_CASE("a wrong include is found, with its line") {
  const struct {
    source file;
    std::string_view complaint;  // empty: fine
  } cases[] = {
      {{"include/tg/base/a.hpp", "#pragma once\n#include <tg/ptx/ir/module.hpp>\n"},
       "include/tg/base/a.hpp:2: ptx (floor 1) is not below base (floor 0)"},
      {{"include/tg/dsl/a.hpp", "#  include <tg/runtime/device.hpp>"}, "runtime (floor 7) is not below dsl (floor 4)"},
      {{"include/tg/dsl/a.hpp", "#include <tg/tile/dot.hpp>"}, "tile (floor 6) is not below dsl (floor 4)"},
      {{"include/tg/tile/a.hpp", "#include <tg/runtime/device.hpp>"}, "runtime (floor 7) is not below tile (floor 6)"},
      {{"include/tg/dsl.hpp", "#include <tg/runtime/device.hpp>"}, "runtime (floor 7) is not below dsl (floor 4)"},
      {{"include/tg/layout/a.hpp", "#include <tg/ptx/ir/module.hpp>"}, "ptx (floor 1) is not below layout (floor 1)"},
      {{"include/tg/analysis/a.hpp", "#include <tg/ptx/ir/module.hpp>"}, "analysis does not know ptx"},
      {{"include/tg/emulator/a.hpp", "#include <tg/driver/stream.hpp>"},
       "meet in <tg/driver/api.hpp> and <tg/driver/emulated.hpp> only"},
      {{"include/tg/driver/a.hpp", "#include <tg/emulator/run/run.hpp>"}, "emulator (floor 3) is not below driver (floor 1)"},
      {{"include/tg/util/a.hpp", "#include <tg/base/code.hpp>"}, "no floor has this folder"},
      {{"include/tg/base/a.hpp", "#include <tg/util/a.hpp>"}, "no floor has <tg/util/a.hpp>"},
      {{"include/tg/runtime/a.hpp", "#include <tg/tg.hpp>"}, "<tg/tg.hpp> is for users"},
      {{"include/tg/tg.hpp", "#include <kernels/saxpy.hpp>"}, "the library does not know its kernels"},
      {{"include/tg/base/a.hpp", "#include \"code.hpp\""}, "write <tg/...>"},
      {{"kernels/saxpy.hpp", "#include <tg/ptx/ir/module.hpp>"},
       "a kernel sees <tg/dsl.hpp>, words of <tg/dsl/>, <tg/tile.hpp> and <tg/runtime/grid.hpp> only"},
      {{"kernels/saxpy.hpp",
        "#include <tg/dsl.hpp>\n#include <tg/tile.hpp>\n#include <tg/runtime/grid.hpp>\n#include <tg/dsl/block/block_reduce.hpp>\n#include <kernels/host.hpp>"},
       ""},
      {{"kernels/saxpy.hpp", "#include <kernels/arrays/sort.hpp>"}, "a kernel does not know the functions that launch it"},
      {{"kernels/arrays/sort.hpp", "#include <tg/explain/a.hpp>"}, "a function of arrays sees <tg/array.hpp>"},
      {{"kernels/arrays/sort.hpp",
        "#include <tg/array.hpp>\n#include <tg/array/take.hpp>\n#include <tg/runtime/device.hpp>\n#include <kernels/radix_sort.hpp>"},
       ""},
      {{"include/tg/emulator/a.hpp", "#include <tg/driver/api.hpp>\n#include <tg/analysis/sectors.hpp>"}, ""},
      {{"include/tg/runtime/a.hpp", "#include <tg/emulator.hpp>\n#include <tg/runtime/b.hpp>"}, ""},
      {{"include/tg/tg.hpp", "#include <tg/runtime/device.hpp>"}, ""},
      {{"include/tg/library.hpp", "#include <tg/tg.hpp>\n#include <tg/emulator.hpp>"}, ""},
      {{"include/tg/library.hpp", "#include <kernels/saxpy.hpp>"}, "the library does not know its kernels"},
      {{"include/tg/dsl/a.inl", "#include <tg/runtime/device.hpp>"}, "runtime (floor 7) is not below dsl (floor 4)"},
      {{"include/tg/explain/a.hpp", "#include <tg/emulator/counters/counters.hpp>\n#include <tg/dsl/cost/cost.hpp>"}, ""},
      {{"include/tg/runtime/a.hpp", "#include <tg/explain/a.hpp>"}, "explain (floor 8) is not below runtime (floor 7)"},
      {{"include/tg/base/a.hpp", "// #include <tg/ptx/ir/module.hpp>"}, ""},
  };
  for (const auto& header : cases) {
    const auto found = floor_complaints({header.file});
    CAPTURE(header.file.path);
    CAPTURE(header.file.text);
    REQUIRE(found.size() == (header.complaint.empty() ? 0 : 1));
    if (!found.empty()) CHECK_MESSAGE(found[0].find(header.complaint) != std::string::npos, found[0]);
  }
}

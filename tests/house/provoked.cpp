// Each code of the library is provoked by a test.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "code_tables.hpp"
#include "sources.hpp"

namespace {

using house::complaints;
using house::source;

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

/// The folders whose tests can meet the code: the language and its analysis, the IR, the emulator, driver and runtime,
/// tiles, arrays.
bool is_home(std::string_view path, int number) {
  constexpr std::array<std::array<std::string_view, 3>, 7> homes{{{"compile_fail", "dsl", "explain"},
                                                                  {"compile_fail", "dsl", "explain"},
                                                                  {"ptx", "ptx", "ptx"},
                                                                  {"emulator", "runtime", "runtime"},
                                                                  {"driver", "runtime", "runtime"},
                                                                  {"compile_fail", "tile", "tile"},
                                                                  {"compile_fail", "array", "array"}}};
  return std::ranges::any_of(homes[static_cast<std::size_t>(number / 100 - 1)],
                             [&](std::string_view folder) { return path.starts_with("tests/" + std::string(folder) + "/"); });
}

/// Whether the line demands the code: of a compiler, of a message, of an error's number, or as a row of a test's table.
bool demands(std::string_view line, std::string_view path, std::string_view number) {
  const std::string digits(number), name = "TG" + digits;
  if (path.starts_with("tests/compile_fail/")) return line.starts_with("// expect:") && contains(line, name);
  const auto indent = std::min(line.find_first_not_of(' '), line.size());
  line.remove_prefix(indent);
  if (line.starts_with("//") || line.starts_with("TEST_CASE")) return false;
  if (contains(line, "\"" + name)) return true;
  if (line.starts_with("{" + digits + ", ")) return true;
  return line.starts_with("CHECK") && (contains(line, "== " + digits + ")") || contains(line, "recording::at(" + digits + ","));
}

complaints unprovoked(const std::vector<tg::code_info>& codes, const std::vector<source>& tests) {
  complaints out;
  for (const auto& info : codes) {
    const bool is_provoked = std::ranges::any_of(tests, [&](const source& file) {
      if (!is_home(file.path, info.number)) return false;
      const auto lines = house::lines_of(file.text);
      return std::ranges::any_of(lines,
                                 [&](const auto& line) { return demands(line, file.path, std::to_string(info.number)); });
    });
    if (!is_provoked) out.push_back("no test provokes " + house::name_of(info) + ": " + std::string(info.meaning));
  }
  return out;
}

}  // namespace

TEST_CASE("each code is provoked by a test") {
  for (const auto& complaint : unprovoked(house::all_codes(), house::sources_in({"tests"}, {".cpp"}))) {
    FAIL_CHECK(complaint);
  }
}

TEST_CASE("a code that no test provokes is found") {
  const struct {
    int number;
    source file;
    bool is_provoked;
  } cases[] = {
      {101, {"tests/compile_fail/a.cpp", "// expect: TG101\n"}, true},
      {101, {"tests/compile_fail/a.cpp", "// TG101\n"}, false},
      {204, {"tests/dsl/a.cpp", "  CHECK(error_of(f) == recording::at(204, 3));\n"}, true},
      {301, {"tests/ptx/a.cpp", "      {301, text, clean},\n"}, true},
      {301, {"tests/emulator/a.cpp", "      {301, text, clean},\n"}, false},
      {402, {"tests/emulator/a.cpp", "  check(f, \"TG402\");\n"}, true},
      {402, {"tests/emulator/a.cpp", "TEST_CASE(\"TG402 is raised\") {\n"}, false},
      {402, {"tests/emulator/a.cpp", "  CHECK(count == 4020);\n"}, false},
      {523, {"tests/runtime/a.cpp", "  CHECK(error.number == 523);\n"}, true},
      {523, {"tests/runtime/a.cpp", "  // CHECK(error.number == 523);\n"}, false},
  };
  for (const auto& c : cases) {
    CAPTURE(c.file.text);
    CHECK(unprovoked({{c.number, "meaning", "", ""}}, {c.file}).empty() == c.is_provoked);
  }
  CHECK(unprovoked({{101, "meaning", "", ""}}, {}) == complaints{"no test provokes TG101: meaning"});
}

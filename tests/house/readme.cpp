// The C++ that the README shows is C++ that is compiled.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "sources.hpp"

namespace {

using house::complaints;
using house::source;

/// The ```cpp blocks of a Markdown text, without their fences.
std::vector<std::string> cpp_blocks(const std::string& markdown) {
  std::vector<std::string> blocks;
  bool is_inside = false;
  for (const auto& line : house::lines_of(markdown)) {
    if (is_inside && line == "```") {
      is_inside = false;
    } else if (is_inside) {
      blocks.back() += line + "\n";
    } else if (line == "```cpp") {
      is_inside = true;
      blocks.emplace_back();
    }
  }
  return blocks;
}

complaints unknown_blocks(const std::string& markdown, const std::vector<source>& compiled) {
  complaints out;
  for (const auto& block : cpp_blocks(markdown)) {
    const bool is_known =
        std::ranges::any_of(compiled, [&](const source& file) { return file.text.find(block) != std::string::npos; });
    if (!is_known) out.push_back("no compiled file has this block of the README:\n" + block);
  }
  return out;
}

}  // namespace

TEST_CASE("each C++ block of the README is in a compiled file, word for word") {
  const auto markdown = house::read("README.md");
  REQUIRE(!cpp_blocks(markdown).empty());
  const auto compiled = house::sources_in({"examples", "kernels", "tests", "bench"}, {".cpp", ".hpp"});
  for (const auto& complaint : unknown_blocks(markdown, compiled)) FAIL_CHECK(complaint);
}

TEST_CASE("a block that no file has is found") {
  const std::vector<source> compiled{{"examples/a.cpp", "#include <tg/tg.hpp>\n\nint a;\nint b;\n"}};
  const std::string markdown = "Text\n```cpp\nint a;\nint b;\n```\nmore\n```sh\nls\n```\n";
  CHECK(cpp_blocks(markdown) == std::vector<std::string>{"int a;\nint b;\n"});
  CHECK(unknown_blocks(markdown, compiled).empty());
  CHECK(unknown_blocks(markdown + "```cpp\nint c;\n```\n", compiled).size() == 1);
}

// tests/ repeats the paths of include/tg/ and kernels/.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "sources.hpp"

namespace {

using house::complaints;
using house::source;

/// `include/tg/dsl/memory/view.hpp` is tested by `tests/dsl/memory/view.cpp`, and so is `view.inl`; a header that only includes
/// a folder needs no test.
std::string test_of(std::string_view header) {
  if (header.ends_with(".inl")) return "";
  constexpr std::string_view library = "include/tg/";
  if (header.starts_with(library)) header.remove_prefix(library.size());
  if (header.find('/') == header.npos) return "";
  return "tests/" + std::string(header.substr(0, header.rfind('.'))) + ".cpp";
}

complaints mirror_complaints(const std::vector<source>& headers, const std::vector<source>& tests) {
  complaints out;
  for (const auto& header : headers) {
    const auto path = test_of(header.path);
    if (path.empty()) continue;
    const auto test = std::ranges::find(tests, path, &source::path);
    if (test == tests.end()) {
      out.push_back(header.path + " has no test " + path);
      continue;
    }
    const auto includes = house::includes_of(*test);
    const auto target = house::target_of(header.path);
    if (includes.empty() || includes.front().target != target) {
      out.push_back(path + " does not include <" + target + "> first");
    }
    if (test->text.find("TEST_CASE") == std::string::npos) out.push_back(path + " tests nothing");
  }
  return out;
}

}  // namespace

TEST_CASE("each header has a test at the same path") {
  for (const auto& complaint : mirror_complaints(house::headers(), house::sources_in({"tests"}, {".cpp"}))) {
    FAIL_CHECK(complaint);
  }
}

TEST_CASE("a header without its test is found") {
  const std::vector<source> headers{
      {"include/tg/dsl/memory/view.hpp", ""}, {"include/tg/dsl.hpp", ""}, {"kernels/saxpy.hpp", ""}};
  const source view{"tests/dsl/memory/view.cpp", "#include <tg/dsl/memory/view.hpp>\nTEST_CASE(\"\") {}"};
  const source saxpy{"tests/kernels/saxpy.cpp", "#include <kernels/saxpy.hpp>\nTEST_CASE(\"\") {}"};
  CHECK(mirror_complaints(headers, {view, saxpy}).empty());
  CHECK(mirror_complaints(headers, {saxpy}) ==
        complaints{"include/tg/dsl/memory/view.hpp has no test tests/dsl/memory/view.cpp"});

  const source late{view.path, "#include <vector>\n" + view.text};
  CHECK(mirror_complaints(headers, {late, saxpy}) ==
        complaints{"tests/dsl/memory/view.cpp does not include <tg/dsl/memory/view.hpp> first"});

  const source empty{view.path, "#include <tg/dsl/memory/view.hpp>\n"};
  CHECK(mirror_complaints(headers, {empty, saxpy}) == complaints{"tests/dsl/memory/view.cpp tests nothing"});
}

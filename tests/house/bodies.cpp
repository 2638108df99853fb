// Functions that the compiled library holds are declared in `x.hpp` and defined in `x.inl` beside it, and each is marked.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sources.hpp"

namespace {

using house::complaints;
using house::source;

constexpr std::string_view mark = "TG_LIBRARY_FUNCTION";

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

/// Whether `body` is a body of `header` by its name: `x.inl`, or `x_jumps.inl` where there are several.
bool is_body_of(std::string_view body, std::string_view header) {
  if (!header.ends_with(".hpp")) return false;
  header.remove_suffix(std::string_view(".hpp").size());
  return body == std::string(header) + ".inl" || body.starts_with(std::string(header) + "_");
}

/// The source files of a program that have the bodies.
bool is_library(std::string_view path) { return path.starts_with("include/tg/") && path.ends_with("library.hpp"); }

/// Whether a marked line is the head of a constructor or a destructor: `x::x(` or `x::~x(`.
bool makes_or_ends(std::string_view line) {
  const auto open = line.find('(');
  const auto scope = line.rfind("::", open);
  if (open == line.npos || scope == line.npos) return false;
  auto name = line.substr(scope + 2, open - scope - 2);
  if (name.starts_with("~")) return true;
  const auto owner = line.substr(0, scope);
  return owner.ends_with(" " + std::string(name)) || owner.ends_with("::" + std::string(name));
}

complaints body_complaints(const std::vector<source>& files) {
  complaints out;
  for (const auto& file : files) {
    const bool is_body = file.path.ends_with(".inl");
    const auto includes = house::includes_of(file);
    for (const auto& line : includes)
      if (line.target.ends_with(".inl") && !is_library(file.path))
        out.push_back(house::at_line(file, line.line) + "only tg/library.hpp includes bodies");
    if (!is_body) {
      if (contains(file.text, std::string(mark) + " ") && file.path != "include/tg/base/config.hpp")
        out.push_back(file.path + ": " + std::string(mark) + " is for .inl files");
      continue;
    }
    if (includes.empty() || !is_body_of(house::target_of(file.path), includes[0].target))
      out.push_back(file.path + ": does not include the header that it is the body of, first of all");
    bool is_marked = false;
    const auto lines = house::lines_of(file.text);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (!contains(lines[i], mark)) continue;
      is_marked = true;
      if (makes_or_ends(lines[i]))
        out.push_back(house::at_line(file, i) + "clang++ does not emit constructors and destructors for others");
    }
    if (!is_marked) out.push_back(file.path + ": no function of it is in the library");
  }
  return out;
}

/// Bodies that the library's source files do not reach.
complaints left_out(const std::vector<std::string>& library, const std::vector<source>& files) {
  std::set<std::string> seen(library.begin(), library.end());
  std::vector<std::string> open = library;
  while (!open.empty()) {
    const std::string target = open.back();
    open.pop_back();
    const auto file = std::ranges::find_if(files, [&](const source& f) { return house::target_of(f.path) == target; });
    if (file == files.end()) continue;
    for (const auto& line : house::includes_of(*file))
      if (seen.insert(line.target).second) open.push_back(line.target);
  }
  complaints out;
  for (const auto& file : files)
    if (file.path.ends_with(".inl") && !seen.contains(house::target_of(file.path)))
      out.push_back("<" + library[0] + "> does not reach " + file.path);
  return out;
}

}  // namespace

TEST_CASE("each body belongs to the header of its name, and marks what the library holds") {
  const auto files = house::headers();
  CHECK(std::ranges::count_if(files, [](const source& f) { return f.path.ends_with(".inl"); }) > 20);
  for (const auto& complaint : body_complaints(files)) FAIL_CHECK(complaint);
}

TEST_CASE("the library has every body, arrays apart") {
  const auto files = house::headers();
  for (const auto& complaint : left_out({"tg/library.hpp", "tg/array_library.hpp"}, files)) FAIL_CHECK(complaint);
  for (const auto& complaint : left_out({"tg/library.hpp"}, files)) CHECK(contains(complaint, "not reach include/tg/array/"));
}

TEST_CASE("a wrong body is found") {
  const source header{"include/tg/dsl/a.hpp", "int f();\n"};
  const std::string first = "#include <tg/dsl/a.hpp>\n";
  const source body{"include/tg/dsl/a.inl", first + "TG_LIBRARY_FUNCTION int f() { return 1; }\n"};
  const source library{"include/tg/library.hpp", "#include <tg/dsl/a.inl>\n"};
  CHECK(body_complaints({header, body, library, {"include/tg/dsl/a_jumps.inl", body.text}}).empty());

  const auto has = [](const std::vector<source>& files, std::string_view complaint) {
    const auto found = body_complaints(files);
    return found.size() == 1 && contains(found[0], complaint);
  };
  CHECK(has({header, {"include/tg/dsl/b.inl", body.text}}, "b.inl: does not include the header that it is the body of"));
  CHECK(has({header, {body.path, body.text.substr(first.size())}}, "a.inl: does not include the header"));
  CHECK(has({header, {body.path, "#include <string>\n" + body.text}}, "a.inl: does not include the header"));
  CHECK(has({{header.path, "int f();\n\n#include <tg/dsl/a.inl>\n"}, body}, "only tg/library.hpp includes bodies"));
  CHECK(has({header, {body.path, first + "inline int f() { return 1; }\n"}}, "no function of it is in the library"));
  CHECK(has({header, body, {"include/tg/dsl/b.hpp", "TG_LIBRARY_FUNCTION int g() { return 1; }\n"}}, "is for .inl files"));
  const source makes{body.path, first + "TG_LIBRARY_FUNCTION tracer::tracer(tape& t) : tape_(t) {}\n"};
  CHECK(has({header, makes}, "a.inl:2: clang++ does not emit constructors"));
  const source ends{body.path, first + "TG_LIBRARY_FUNCTION tg::emulator::program::~program() {}\n"};
  CHECK(has({header, ends}, "a.inl:2: clang++ does not emit constructors"));
  const source opens{body.path, first + "TG_LIBRARY_FUNCTION std::shared_ptr<context> context::open(machine m) {\n}\n"};
  CHECK(body_complaints({header, opens}).empty());
}

TEST_CASE("a body that the library's source file does not reach is found") {
  const source body{"include/tg/dsl/a.inl", ""}, rest{"include/tg/gpu_library.hpp", "#include <tg/dsl/a.inl>\n"};
  CHECK(left_out({"tg/library.hpp"}, {{"include/tg/library.hpp", "#include <tg/gpu_library.hpp>\n"}, rest, body}).empty());
  CHECK(left_out({"tg/library.hpp"}, {{"include/tg/library.hpp", ""}, rest, body}) ==
        complaints{"<tg/library.hpp> does not reach include/tg/dsl/a.inl"});
}

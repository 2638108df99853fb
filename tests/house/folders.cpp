// Each folder of headers has a README that names files which exist, and the floors and rooms that the folder includes.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sources.hpp"

namespace {

using house::complaints;
using house::source;

std::string folder_of(std::string_view path) { return std::string(path.substr(0, path.rfind('/'))); }

/// `dsl` of include/tg/dsl/proof/walk.hpp and of tg/dsl/value/value.hpp; empty for what is in no floor.
std::string floor_of(std::string_view path) {
  const std::size_t at = path.find("tg/");
  if (at == path.npos) return {};
  const std::string_view rest = path.substr(at + 3);
  const std::size_t end = rest.find('/');
  return std::string(rest.substr(0, end == rest.npos ? 0 : end));
}

/// What stands between backticks in `text`.
std::vector<std::string> in_backticks(std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t at = text.find('`'); at != text.npos; at = text.find('`', at + 1)) {
    const std::size_t end = text.find('`', at + 1);
    if (end == text.npos) break;
    out.emplace_back(text.substr(at + 1, end - at - 1));
    at = end;
  }
  return out;
}

/// What a folder's headers include: other floors, and other rooms of their own floor.
std::set<std::string> included_by(const std::string& folder, const std::vector<source>& headers) {
  std::set<std::string> out;
  for (const source& file : headers) {
    if (folder_of(file.path) != folder) continue;
    for (const auto& line : house::includes_of(file)) {
      const std::string floor = floor_of(line.target), other = folder_of(line.target);
      if (floor.empty()) continue;
      if (floor != floor_of(file.path)) out.insert(floor);
      else if ("include/" + other != folder && other.find('/', 3) != other.npos) out.insert(other.substr(other.rfind('/') + 1));
    }
  }
  return out;
}

complaints folder_complaints(const std::string& folder, const std::string& readme, const std::vector<source>& headers,
                             const std::function<bool(const std::string&)>& exists) {
  const std::string path = folder + "/README.md";
  if (readme.empty()) return {path + " is missing: say what lives here, who may include it, and the way of one example"};
  complaints out;
  for (const std::string& name : in_backticks(readme)) {
    if ((!name.ends_with(".hpp") && !name.ends_with(".inl")) || name.find('*') != name.npos) continue;
    if (!exists(folder + "/" + name) && !exists("include/tg/" + name))
      out.push_back(path + " names " + name + ", which does not exist");
  }
  const std::size_t begin = readme.find("**Includes**"), end = readme.find("**Included by**");
  if (begin == readme.npos || end == readme.npos) return out.push_back(path + ": no **Includes** and **Included by**"), out;
  const std::string said = readme.substr(begin, end - begin);
  const auto names = in_backticks(said);
  for (const std::string& other : included_by(folder, headers)) {
    const bool is_said = said.find("every floor below") != said.npos || std::ranges::find(names, other) != names.end();
    if (!is_said) out.push_back(path + ": its headers include " + other + ", which **Includes** does not say");
  }
  return out;
}

/// The cells of each row of the Markdown table whose first column is headed `heading`.
std::vector<std::vector<std::string>> rows_of(const std::string& markdown, const std::string& heading) {
  std::vector<std::vector<std::string>> out;
  bool is_inside = false;
  for (const std::string& line : house::lines_of(markdown)) {
    if (!line.starts_with("|")) is_inside = false;
    if (is_inside && !line.starts_with("|-")) {
      auto& cells = out.emplace_back();
      for (std::size_t at = 1, end = 0; (end = line.find('|', at)) != line.npos; at = end + 1)
        cells.push_back(line.substr(at, end - at));
    }
    is_inside = is_inside || line.starts_with("| " + heading + " |");
  }
  return out;
}

/// The table of facts names files that exist, and has a file and a judge for each fact.
complaints fact_complaints(const std::string& readme, const std::function<bool(const std::string&)>& exists) {
  complaints out;
  std::set<std::string> facts;
  for (const auto& row : rows_of(readme, "fact")) {
    const std::string& fact = row[0];
    if (!facts.insert(fact).second) out.push_back("two rows say where this lives:" + fact);
    if (row.size() != 3 || in_backticks(row[1]).empty() || in_backticks(row[2]).empty()) {
      out.push_back("no file or no judge:" + fact);
      continue;
    }
    for (const std::size_t column : {1u, 2u})
      for (const std::string& name : in_backticks(row[column]))
        if (!exists(name) && !exists("include/tg/" + name)) out.push_back("this does not exist:" + fact + name);
  }
  return out;
}

}  // namespace

TEST_CASE("the table of facts names files that exist, and the table of floors all floors") {
  const std::string readme = house::read("include/tg/README.md");
  const auto exists = [](const std::string& path) { return std::filesystem::exists(path); };
  REQUIRE(rows_of(readme, "fact").size() > 10);
  for (const auto& complaint : fact_complaints(readme, exists)) FAIL_CHECK(complaint);
  std::set<std::string> said;
  for (const auto& row : rows_of(readme, "floor")) said.insert(in_backticks(row.at(0)).at(0));
  CHECK(said.contains("kernels/"));
  for (const auto& entry : std::filesystem::directory_iterator("include/tg"))
    if (entry.is_directory()) CHECK_MESSAGE(said.contains(entry.path().filename().string() + "/"), entry.path().string());
}

TEST_CASE("a fact without a file, with an old one or with two rows is found") {
  const auto exists = [](const std::string& path) { return path == "include/tg/ptx/a.hpp" || path == "tests/ptx/a.cpp"; };
  const auto of = [&](const std::string& rows) {
    return fact_complaints("Text\n\n| fact | file | who judges it |\n|---|---|---|\n" + rows + "\nText\n", exists);
  };
  CHECK(of("| one | `ptx/a.hpp` | `tests/ptx/a.cpp` |").empty());
  CHECK(of("| one | `ptx/a.hpp` | `tests/ptx/b.cpp` |").size() == 1);
  CHECK(of("| one | `ptx/b.hpp` | `tests/ptx/a.cpp` |").size() == 1);
  CHECK(of("| one | a file | `tests/ptx/a.cpp` |").size() == 1);
  CHECK(of("| one | `ptx/a.hpp` |").size() == 1);
  CHECK(of("| one | `ptx/a.hpp` | `tests/ptx/a.cpp` |\n| one | `ptx/a.hpp` | `tests/ptx/a.cpp` |").size() == 1);
}

TEST_CASE("every folder of headers says what it is") {
  const auto headers = house::headers();
  std::set<std::string> folders;
  for (const source& file : headers) folders.insert(folder_of(file.path));
  folders.erase("include/tg");
  folders.erase("kernels/reference");
  REQUIRE(folders.size() > 10);
  for (const std::string& folder : folders) {
    const auto exists = [](const std::string& path) { return std::filesystem::exists(path); };
    for (const auto& complaint : folder_complaints(folder, house::read(folder + "/README.md"), headers, exists))
      FAIL_CHECK(complaint);
  }
}

TEST_CASE("a README that is missing, old or silent is found") {
  const std::vector<source> headers{{"include/tg/ptx/a.hpp", "#include <tg/base/error.hpp>\n#include <tg/ptx/b.hpp>\n"}};
  const auto exists = [](const std::string& path) { return path == "include/tg/ptx/a.hpp"; };
  const auto of = [&](const std::string& readme) { return folder_complaints("include/tg/ptx", readme, headers, exists); };
  CHECK(of("`a.hpp` is it. **Includes** `base`. **Included by** all.").empty());
  CHECK(of("").size() == 1);
  CHECK(of("`b.hpp` is it. **Includes** `base`. **Included by** all.").size() == 1);
  CHECK(of("`a.hpp` is it. **Includes** `layout`. **Included by** all.").size() == 1);
  CHECK(of("`a.hpp` is it. **Includes** every floor below. **Included by** all.").empty());
  CHECK(of("`a.hpp` is it.").size() == 1);

  const std::vector<source> rooms{
      {"include/tg/dsl/flow/a.hpp", "#include <tg/base/error.hpp>\n#include <tg/dsl/value/b.hpp>\n"}};
  const auto of_room = [&](const std::string& readme) {
    return folder_complaints("include/tg/dsl/flow", readme, rooms, exists);
  };
  CHECK(of_room("**Includes** `base`, `value`. **Included by** all.").empty());
  CHECK(of_room("**Includes** `base`. **Included by** all.").size() == 1);
}

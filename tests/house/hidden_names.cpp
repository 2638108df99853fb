// A name of tg:: that is declared in tg::detail as well, one of the two a type, a concept or a variable. Code of tg::detail
// then means one or the other, as the order of includes has it: the first hides nothing where the second is not there yet.
#include <doctest/doctest.h>

#include <map>
#include <regex>

#include "sources.hpp"

namespace {

using namespace house;

struct declared {
  std::string where;
  bool is_function = false;
};
/// By name, then by namespace.
using declarations = std::map<std::string, std::map<std::string, declared>>;

/// What stands in column 0 of a header: types, concepts, variables and functions.
void add_declarations(declarations& out, const source& file) {
  static const std::regex type(R"((?:struct|class|enum class|concept) (\w+)\b(?!.*\) \{$).*)");
  static const std::regex alias(R"(using (\w+) =.*)");
  static const std::regex variable(R"((?:inline )?constexpr [\w:<>, *]+?\b(\w+)(?: = .*| =|\{.*\};|<.*> = .*))");
  static const std::regex function(R"([a-z][\w:<>,&* ]*?[ &*]([a-z]\w*)\(.*)");
  static const std::regex head(
      R"(template <[^()]*> (?:requires.* )?(?=struct|class|concept|using|inline|constexpr|auto|value))");
  std::vector<std::string> inside;
  const auto lines = lines_of(file.text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string line = lines[i];
    if (line.starts_with("namespace ")) {
      inside.push_back(line.substr(10, line.find(' ', 10) - 10));
      if (line.ends_with("}")) inside.pop_back();
      continue;
    }
    if (line.starts_with("}  // namespace") && !inside.empty()) {
      inside.pop_back();
      continue;
    }
    std::string name;
    for (const auto& part : inside) name += (name.empty() ? "" : "::") + part;
    if (name != "tg" && name != "tg::detail" && name != "tg::detail::held") continue;
    line = std::regex_replace(line, head, "", std::regex_constants::format_first_only);
    std::smatch found;
    const bool is_other =
        std::regex_match(line, found, type) || std::regex_match(line, found, alias) || std::regex_match(line, found, variable);
    if (is_other || std::regex_match(line, found, function))
      out[found[1]].try_emplace(name == "tg" ? "tg" : "tg::detail", declared{at_line(file, i), !is_other});
  }
}

complaints hidden_names(const std::vector<source>& files) {
  declarations all;
  for (const auto& file : files) add_declarations(all, file);
  complaints out;
  for (const auto& [name, places] : all) {
    if (places.size() < 2) continue;
    const declared &shown = places.at("tg"), &own = places.at("tg::detail");
    if (!shown.is_function || !own.is_function) out.push_back(own.where + "'" + name + "' hides that of " + shown.where);
  }
  return out;
}

}  // namespace

TEST_CASE("no name of tg::detail hides a name of tg") {
  for (const auto& complaint : hidden_names(sources_in({"include/tg"}, {".hpp"}))) FAIL_CHECK(complaint);
}

TEST_CASE("a hidden name is found, two functions of one name are not") {
  const auto of = [](const std::string& shown, const std::string& own) {
    return hidden_names(
        {{"a.hpp", "namespace tg {\n" + shown + "\n}  // namespace tg\n"},
         {"b.hpp", "namespace tg {\nnamespace detail {\n" + own + "\n}  // namespace detail\n}  // namespace tg\n"}});
  };
  const std::string variable = "template <class X> inline constexpr bool is_part = false;";
  CHECK(of(variable, variable) == complaints{"b.hpp:3: 'is_part' hides that of a.hpp:2: "});
  CHECK(of(variable, "template <class X> inline constexpr bool is_other = false;").empty());
  CHECK(of("struct sum {", "template <class X> struct sum;").size() == 1);
  CHECK(of("template <class T> auto sum(const T& x) {", "using sum = int;").size() == 1);
  CHECK(of("template <class T>\nconcept sum = true;", "inline float sum(float x) { return x; }").size() == 1);
  CHECK(of("template <class T> auto sum(const T& x) {", "template <class T> auto sum(T* x) {").empty());
}

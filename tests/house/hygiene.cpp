// What every header keeps to.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sources.hpp"

namespace {

using house::complaints;
using house::source;

constexpr std::size_t most_lines = 350;
constexpr std::size_t most_columns = 140;

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 128; });
}

/// Columns that a reader sees: bytes that continue a UTF-8 character do not count.
std::size_t columns(std::string_view line) {
  return static_cast<std::size_t>(std::ranges::count_if(line, [](char c) { return (c & 0xc0) != 0x80; }));
}

/// The comment that a header begins with: what it is.
std::string_view opening_comment(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && text.substr(end).starts_with("//")) end = std::min(text.find('\n', end), text.size() - 1) + 1;
  return text.substr(0, end);
}

/// A header of which each includer gets a copy of its own says so in its opening comment.
bool is_meant_to_repeat(std::string_view opening) { return contains(opening, "Included once per "); }

complaints name_complaints(const source& file) {
  constexpr std::array<std::string_view, 5> banned{"_impl", "util", "helper", "common", "misc"};
  const auto stem = std::filesystem::path(file.path).stem().string();
  for (const auto part : banned) {
    if (contains(stem, part)) return {file.path + ": '" + std::string(part) + "' in a name says nothing"};
  }
  return {};
}

/// Whether the line writes or reads a number with a point as the program's locale has it.
bool follows_locale(std::string_view line) {
  constexpr std::array<std::string_view, 8> readers{"strtod(", "strtof(", "stod(",        "stof(",
                                                    "atof(",   "sscanf(", "stringstream", "<iostream>"};
  if (std::ranges::any_of(readers, [&](std::string_view name) { return contains(line, name); })) return true;
  if (!contains(line, "printf(")) return false;
  for (std::size_t at = line.find('%'); at != line.npos; at = line.find('%', at)) {
    at = std::min(line.find_first_not_of("0123456789.*-+# ", at + 1), line.size());
    if (at < line.size() && std::string_view("eEfFgG").find(line[at]) != std::string_view::npos) return true;
  }
  return false;
}

/// Whether the line defines a macro that users of the header would see; a list that is read and undefined is fine.
bool outlives_header(std::string_view line, const source& file) {
  constexpr std::string_view define = "#define ";
  if (!line.starts_with(define) || file.path == "include/tg/base/config.hpp") return false;
  line.remove_prefix(define.size());
  return !contains(file.text, "#undef " + std::string(line.substr(0, line.find_first_of("( \\"))) + "\n");
}

/// Whether a comment begins with words that need another comment to be understood.
bool leans_on_another(std::string_view line) {
  constexpr std::array<std::string_view, 9> starts{"The same", "Of ",     "As above", "Likewise",     "So do",
                                                   "Ditto",    "That of", "Those of", "The other way"};
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  if (!line.starts_with("//")) return false;
  line.remove_prefix(std::min(line.find_first_not_of("/ "), line.size()));
  return std::ranges::any_of(starts, [&](std::string_view start) { return line.starts_with(start); });
}

/// Whether an operator takes a member of the options of a kernel: it refers to the member, which clang++ 14 and 15 may read
/// wrongly. A constant made of it is right.
bool refers_to_option(std::string_view line) {
  for (std::size_t at = line.find("Options."); at != line.npos; at = line.find("Options.", at + 1)) {
    if (at < 3 || line[at - 1] != ' ' || std::string_view("+-*/%").find(line[at - 2]) == std::string_view::npos) continue;
    const std::string_view before = line.substr(0, at - 3);
    if (!before.substr(before.find_last_of(" (") + 1).starts_with("Options.")) return true;
  }
  return false;
}

bool is_comment(std::string_view line) {
  const std::size_t at = line.find_first_not_of(' ');
  return at != line.npos && line.substr(at).starts_with("//");
}

complaints line_complaints(const source& file) {
  complaints out;
  const auto lines = house::lines_of(file.text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    const auto complain = [&](std::string_view what) { out.push_back(house::at_line(file, i).append(what)); };
    if (line.ends_with(' ') || line.ends_with('\r')) complain("blank at the end of the line");
    if (contains(line, "\t")) complain("tab");
    if (columns(line) > most_columns) complain("longer than 140 columns");
    // `tg::missing` is made to be hidden by what `tg` declares itself, and `tg::detail::held` is a part of `tg::detail`.
    const bool is_using_own = line == "using namespace missing;" || line == "using namespace held;";
    if (line.starts_with("using namespace") && !is_using_own) complain("using namespace in a header");
    if (contains(line, "TODO") || contains(line, "FIXME") || contains(line, "XXX")) complain("unfinished work");
    if (leans_on_another(line) && (i == 0 || !is_comment(lines[i - 1]))) complain("a comment that does not stand alone");
    if (follows_locale(line)) complain("a number as the locale has it: base/number_text.hpp");
    if (outlives_header(line, file)) complain("macro outside base/config.hpp without its #undef");
    if (refers_to_option(line)) complain("an operator on a member of a template argument: tg::constant<Options.width>{}");
    if (!is_ascii(line) && contains(line, "\"")) complain("a text that is not ASCII");
  }
  return out;
}

complaints length_complaints(const source& file) {
  const auto count = static_cast<std::size_t>(std::ranges::count(file.text, '\n'));
  if (count <= most_lines) return {};
  return {file.path + ": " + std::to_string(count) + " lines, " + std::to_string(most_lines) + " are allowed"};
}

complaints hygiene_complaints(const source& file) {
  auto out = name_complaints(file);
  const auto lines = line_complaints(file);
  out.insert(out.end(), lines.begin(), lines.end());
  const auto too_long = length_complaints(file);
  out.insert(out.end(), too_long.begin(), too_long.end());
  const auto opening = opening_comment(file.text);
  const bool is_once = std::string_view(file.text).substr(opening.size()).starts_with("#pragma once\n");
  if (opening.empty()) out.push_back(file.path + ": does not begin with what it is");
  if (!is_once && !is_meant_to_repeat(opening)) out.push_back(file.path + ": no #pragma once after its first comment");
  if (!file.text.ends_with("\n")) out.push_back(file.path + ": no newline at its end");
  return out;
}

}  // namespace

TEST_CASE("headers are clean") {
  for (const auto& file : house::headers()) {
    for (const auto& complaint : hygiene_complaints(file)) FAIL_CHECK(complaint);
  }
}

TEST_CASE("no file is too long to be read at once") {
  for (const auto& file : house::sources_in({"tests", "bench", "examples"}, {".hpp", ".inl", ".cpp"}))
    for (const auto& complaint : length_complaints(file)) FAIL_CHECK(complaint);
}

TEST_CASE("each kind of dirt is found") {
  const std::string clean = "// One thing.\n#pragma once\n\nnamespace tg {}\n";
  const std::string path = "include/tg/base/thing.hpp";
  CHECK(hygiene_complaints({path, clean}).empty());
  CHECK(hygiene_complaints({path, clean + "#define A(x) x\nint a = A(1);\n#undef A\n"}).empty());
  CHECK(hygiene_complaints({path, "// One thing. Included once per unit.\nint a;\n"}).empty());
  CHECK(hygiene_complaints({path, clean + "snprintf(text, n, \"%d of %s\", k, x);\n"}).empty());
  CHECK(hygiene_complaints({path, clean + "/// The most that any\n/// Of them needs. The same again.\n"}).empty());
  CHECK(hygiene_complaints({path, clean + "auto end = first + constant<Options.width>{};\n"}).empty());
  CHECK(hygiene_complaints({path, clean + "static_assert(Options.height % Options.width == 0);\n"}).empty());
  CHECK(hygiene_complaints({path, clean + std::string(346, '\n')}).empty());
  CHECK(hygiene_complaints({"include/tg/base/config.hpp", clean + "#define TG_A 1\n"}).empty());

  const struct {
    source file;
    std::string_view complaint;
  } cases[] = {
      {{"include/tg/base/thing_impl.hpp", clean}, "'_impl' in a name says nothing"},
      {{"include/tg/base/utils.hpp", clean}, "'util' in a name says nothing"},
      {{path, clean + "int x; \n"}, "thing.hpp:5: blank at the end of the line"},
      {{path, clean + "\tint x;\n"}, "thing.hpp:5: tab"},
      {{path, clean + "// " + std::string(138, 'x') + "\n"}, "thing.hpp:5: longer than 140 columns"},
      {{path, clean + "using namespace std;\n"}, "using namespace in a header"},
      {{path, clean + std::string("// TO") + "DO\n"}, "unfinished work"},
      {{path, clean + "/// The same of a tile.\nint x;\n"}, "thing.hpp:5: a comment that does not stand alone"},
      {{path, clean + "  // Of all blocks, the most.\n"}, "thing.hpp:5: a comment that does not stand alone"},
      {{path, clean + "double x = std::strtod(text, nullptr);\n"}, "thing.hpp:5: a number as the locale has it"},
      {{path, clean + "snprintf(text, n, \"%d: %5.1f\", k, x);\n"}, "thing.hpp:5: a number as the locale has it"},
      {{"kernels/thing.hpp", clean + "auto end = first + Options.width;\n"}, "thing.hpp:5: an operator on a member"},
      {{path, clean + "#define A 1\n"}, "macro outside base/config.hpp without its #undef"},
      {{path, clean + "auto s = \"\xc3\xa9\";\n"}, "a text that is not ASCII"},
      {{path, clean + std::string(347, '\n')}, "351 lines, 350 are allowed"},
      {{path, "// One thing.\nint x;\n"}, "no #pragma once after its first comment"},
      {{path, "// One thing.\nint x;\n#pragma once\n// Included once per unit.\n"}, "no #pragma once after its first comment"},
      {{path, clean + "int x;"}, "no newline at its end"},
      {{path, "int x;\n" + clean}, "does not begin with what it is"},
      {{path, "#pragma once\n// One thing.\n"}, "does not begin with what it is"},
  };
  for (const auto& dirty : cases) {
    const auto found = hygiene_complaints(dirty.file);
    const bool is_found = std::ranges::any_of(found, [&](const auto& text) { return contains(text, dirty.complaint); });
    CHECK_MESSAGE(is_found, dirty.complaint);
  }
}

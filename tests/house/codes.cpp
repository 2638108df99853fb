// The table of error codes in docs/pages/errors.md says what the headers say, and every number in the headers has a row.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "code_tables.hpp"
#include "sources.hpp"

namespace {

using house::complaints;
using house::source;

/// Text as Markdown shows it: what would be a tag, emphasis or a column is escaped.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\|<*").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string row_of(const tg::code_info& info) {
  return "| " + house::name_of(info) + " | " + escaped(info.meaning) + " | " + escaped(info.usual_cause) + " | " +
         escaped(info.what_to_do) + " |";
}

/// The rows between `<!-- codes -->` and `<!-- /codes -->`, by the code in their first column.
std::map<std::string, std::string> rows_in(const std::string& markdown) {
  std::map<std::string, std::string> rows;
  bool is_inside = false;
  for (const auto& line : house::lines_of(markdown)) {
    if (line == "<!-- codes -->") is_inside = true;
    if (line == "<!-- /codes -->") is_inside = false;
    if (is_inside && line.starts_with("| TG")) rows[line.substr(2, line.find(' ', 2) - 2)] = line;
  }
  return rows;
}

complaints table_complaints(const std::string& markdown, const std::vector<tg::code_info>& codes) {
  complaints out;
  auto rows = rows_in(markdown);
  for (const auto& info : codes) {
    const auto name = house::name_of(info);
    const auto row = rows.find(name);
    if (row == rows.end()) {
      out.push_back(name + " is missing: " + row_of(info));
      continue;
    }
    if (row->second != row_of(info)) out.push_back(name + " should read: " + row_of(info));
    rows.erase(row);
  }
  for (const auto& [name, row] : rows) out.push_back(name + " is in no header");
  return out;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Numbers that a header writes as `TG402` or `code{402}`, and that no table has.
complaints unknown_numbers(const source& file, const std::vector<tg::code_info>& codes) {
  complaints out;
  const auto lines = house::lines_of(file.text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (const std::string_view start : {"TG", "code{"}) {
      for (auto at = lines[i].find(start); at != std::string::npos; at = lines[i].find(start, at + 1)) {
        const auto digits = lines[i].substr(at + start.size(), 3);
        if (digits.size() < 3 || !std::ranges::all_of(digits, is_digit)) continue;
        if (std::ranges::find(codes, std::stoi(digits), &tg::code_info::number) == codes.end()) {
          out.push_back(house::at_line(file, i) + "no table has TG" + digits);
        }
      }
    }
  }
  return out;
}

}  // namespace

TEST_CASE("the error codes of the docs are those of the headers") {
  const std::string page = house::read("docs/pages/errors.md");
  for (const auto& complaint : table_complaints(page, house::all_codes())) FAIL_CHECK(complaint);
}

TEST_CASE("the codes ascend, so that none is there twice, and say everything") {
  int last = 0;
  for (const auto& info : house::all_codes()) {
    CAPTURE(info.number);
    CHECK(info.number > last);
    CHECK_FALSE(info.meaning.empty());
    CHECK_FALSE(info.usual_cause.empty());
    CHECK_FALSE(info.what_to_do.empty());
    last = info.number;
  }
}

TEST_CASE("every number in a header has a row") {
  for (const auto& file : house::sources_in({"include/tg"}, {".hpp", ".inl"})) {
    if (file.path.ends_with("/codes.hpp")) continue;  // these name the ends of their ranges
    for (const auto& complaint : unknown_numbers(file, house::all_codes())) FAIL_CHECK(complaint);
  }
}

TEST_CASE("rows that are missing, wrong or too many are found") {
  const std::vector<tg::code_info> codes{{101, "a < b", "c", "d"}, {102, "e", "f", "g"}};
  const std::string first = "| TG101 | a \\< b | c | d |\n", second = "| TG102 | e | f | g |\n";
  const std::string open = "text\n<!-- codes -->\n| code |\n|---|\n", close = "<!-- /codes -->\n| TG103 | elsewhere |\n";
  CHECK(table_complaints(open + first + second + close, codes).empty());
  CHECK(table_complaints(open + second + close, codes) == complaints{"TG101 is missing: | TG101 | a \\< b | c | d |"});
  CHECK(table_complaints(open + first + "| TG102 | e | f | h |\n" + close, codes) ==
        complaints{"TG102 should read: | TG102 | e | f | g |"});
  CHECK(table_complaints(open + first + second + "| TG900 | x | y | z |\n" + close, codes) ==
        complaints{"TG900 is in no header"});
  CHECK(table_complaints(first + second, codes).size() == 2);
}

TEST_CASE("a number without a row is found") {
  const std::vector<tg::code_info> codes{{101, "a", "b", "c"}};
  CHECK(unknown_numbers({"a.hpp", "throw error(code{101}, \"\");\n// Errors: TG101.\nTG_INLINE code{n}\n"}, codes).empty());
  CHECK(unknown_numbers({"a.hpp", "\nthrow error(code{102}, \"\");\n"}, codes) == complaints{"a.hpp:2: no table has TG102"});
  CHECK(unknown_numbers({"a.hpp", "// Errors: TG101, TG999."}, codes) == complaints{"a.hpp:1: no table has TG999"});
}

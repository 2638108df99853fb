// An opcode is a row of include/tg/ptx/ir/opcode_rows.hpp. What passes ask of it are columns there, so few headers name it.
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sources.hpp"

namespace {

using house::complaints;
using house::source;

constexpr std::size_t most_headers = 6;

/// Opcodes that more headers may name, with how many do. None is left; a number here may only fall.
const std::map<std::string, std::size_t, std::less<>> more_headers{};

constexpr std::string_view table_path = "include/tg/ptx/ir/opcode_rows.hpp";

/// The table: its rows, and the forms of each opcode.
bool is_table(const source& file) { return file.path == table_path || file.path.starts_with("include/tg/ptx/forms/forms_"); }

std::string_view identifier_at(std::string_view text, std::size_t from) {
  std::size_t end = from;
  while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) ++end;
  return text.substr(from, end - from);
}

/// The C++ names of the instructions: of all rows but those whose PTX name is empty or a marker, and `assume`, which is ours.
std::vector<std::string> instructions_of(std::string_view table) {
  constexpr std::string_view row = "\nTG_OPCODE(";
  std::vector<std::string> out;
  for (std::size_t at = table.find(row); at != table.npos; at = table.find(row, at + 1)) {
    const auto id = identifier_at(table, at + row.size());
    const auto name = table.substr(table.find('"', at) + 1, 1);
    if (name != "\"" && name != "<" && id != "label" && id != "assume") out.emplace_back(id);
  }
  return out;
}

std::string without_comments(const std::string& text) {
  std::string out;
  for (const auto& line : house::lines_of(text)) out.append(line.substr(0, line.find("//"))).push_back('\n');
  return out;
}

complaints opcode_complaints(std::string_view table, const std::vector<source>& files,
                             const std::map<std::string, std::size_t, std::less<>>& ceilings) {
  complaints out;
  std::map<std::string, std::set<std::string>, std::less<>> named_in;
  for (const auto& file : files) {
    if (is_table(file)) continue;
    const auto text = without_comments(file.text);
    for (const std::string_view all : {"using enum opcode", "using enum ptx::opcode", "using enum tg::ptx::opcode"})
      if (text.find(all) != text.npos) out.push_back(file.path + ": write opcode::add, so that a test can count");
    constexpr std::string_view scope = "opcode::";
    for (std::size_t at = text.find(scope); at != text.npos; at = text.find(scope, at + 1))
      named_in[std::string(identifier_at(text, at + scope.size()))].insert(file.path);
  }
  const auto instructions = instructions_of(table);
  for (const auto& op : instructions) {
    const std::size_t count = named_in[op].size();
    const auto known = ceilings.find(op);
    const std::size_t most = known == ceilings.end() ? most_headers : known->second;
    const std::string fact = op + " is named in " + std::to_string(count) + " headers";
    if (count > most) {
      std::string where;
      for (const auto& path : named_in[op]) where.append("\n  ").append(path);
      out.push_back(fact + ", " + std::to_string(most) + " are allowed: make what they ask a column of the table" + where);
    }
    if (known != ceilings.end() && count < most) out.push_back(fact + ": lower its number in this test");
    if (known != ceilings.end() && most <= most_headers) out.push_back(op + " needs no number of its own in this test");
  }
  for (const auto& [op, most] : ceilings)
    if (std::ranges::find(instructions, op) == instructions.end()) out.push_back(op + " is no opcode of the table");
  return out;
}

}  // namespace

TEST_CASE("few headers name an opcode") {
  const auto table = house::read(table_path);
  REQUIRE(instructions_of(table).size() > 100);
  const auto files = house::sources_in({"include/tg", "kernels"}, {".hpp", ".inl"});
  for (const auto& complaint : opcode_complaints(table, files, more_headers)) FAIL_CHECK(complaint);
}

TEST_CASE("an opcode that many headers name is found") {
  const std::string table =
      "#ifdef TG_OPCODE\nTG_OPCODE(none, \"\", control)\nTG_OPCODE(if_, \"<if>\", control)\nTG_OPCODE(and_, \"and\", pure)\n"
      "TG_OPCODE(fns, \"fns\", pure)\nTG_OPCODE(assume, \"assume\", ordered)\n";
  CHECK(instructions_of(table) == std::vector<std::string>{"and_", "fns"});

  const auto headers = [](std::size_t count, const std::string& text) {
    std::vector<source> out;
    for (std::size_t k = 0; k < count; ++k) out.push_back({"include/tg/dsl/a" + std::to_string(k) + ".hpp", text});
    return out;
  };
  const auto found = [&](std::size_t count, const std::string& text,
                         std::map<std::string, std::size_t, std::less<>> ceilings = {}) {
    const auto all = opcode_complaints(table, headers(count, text), ceilings);
    return all.empty() ? std::string() : all.front();
  };
  CHECK(found(6, "case ptx::opcode::fns: case opcode::and_:").empty());
  CHECK(found(7, "case ptx::opcode::fns:").starts_with("fns is named in 7 headers, 6 are allowed"));
  CHECK(found(7, "case opcode::fns_x: // opcode::fns").empty());
  CHECK(found(7, "opcode::if_ opcode::none opcode::assume").empty());
  CHECK(found(1, "using enum ptx::opcode;").starts_with("include/tg/dsl/a0.hpp: write opcode::add"));
  CHECK(found(8, "opcode::fns", {{"fns", 8}}).empty());
  CHECK(found(9, "opcode::fns", {{"fns", 8}}).starts_with("fns is named in 9 headers, 8 are allowed"));
  CHECK(found(7, "opcode::fns", {{"fns", 8}}) == "fns is named in 7 headers: lower its number in this test");
  CHECK(found(6, "opcode::fns", {{"fns", 6}}) == "fns needs no number of its own in this test");
  CHECK(found(0, "", {{"retire", 8}}) == "retire is no opcode of the table");

  std::vector<source> rows = headers(6, "opcode::fns");
  rows.push_back({"include/tg/ptx/forms/forms_arithmetic.hpp", "using enum opcode; opcode::fns"});
  CHECK(opcode_complaints(table, rows, {}).empty());
}

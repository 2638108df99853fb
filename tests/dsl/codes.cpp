#include <tg/dsl/codes.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <tg/driver/codes.hpp>
#include <tg/emulator/codes.hpp>
#include <tg/ptx/codes.hpp>
#include <tg/runtime/codes.hpp>

namespace {

std::vector<int> numbers_of(const auto&... tables) {
  std::vector<int> out;
  (std::ranges::transform(tables, std::back_inserter(out), &tg::code_info::number), ...);
  return out;
}

std::set<int> numbers_in(const std::string& text, const std::string& pattern) {
  std::set<int> out;
  const std::regex expression(pattern);
  for (std::sregex_iterator i(text.begin(), text.end(), expression), end; i != end; ++i) out.insert(std::stoi((*i)[1]));
  return out;
}

/// The numbers that a source throws, `code{204}`, `error(code(204)`, or asserts, `"TG204: `.
std::set<int> used_in(const std::string& text) {
  auto out = numbers_in(text, R"re(\bcode[{(](\d{3})[})])re");
  out.merge(numbers_in(text, R"re("TG(\d{3}):)re"));
  return out;
}

std::set<int> missing(const std::set<int>& used, const std::vector<int>& known) {
  std::set<int> out;
  for (const int number : used)
    if (std::ranges::find(known, number) == known.end()) out.insert(number);
  return out;
}

const std::vector<int> known = numbers_of(tg::language_codes, tg::analysis_codes, tg::ptx::codes, tg::emulator::codes, tg::driver::codes,
                                          tg::runtime::codes);

}  // namespace

TEST_CASE("every number that a header throws or asserts has a row") {
  std::set<int> used;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("include/tg")) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path());
    used.merge(used_in({std::istreambuf_iterator<char>(file), {}}));
  }
  CHECK(used.size() > 30);
  for (const int number : missing(used, known)) FAIL_CHECK("TG", number, " is in no table of codes");
}

TEST_CASE("a number without a row is found") {
  const auto used = used_in(R"(throw error(code{198}, ""); static_assert(x, "TG199: no"); code{101}; "TG2020")");
  CHECK(used == std::set<int>{101, 198, 199});
  CHECK(missing(used, known) == std::set<int>{198, 199});
}

TEST_CASE("a number has one row, in the table of its range") {
  auto sorted = known;
  std::ranges::sort(sorted);
  CHECK(std::ranges::adjacent_find(sorted) == sorted.end());
  const auto all_between = [](const auto& table, int first, int last) {
    return std::ranges::all_of(table, [=](const tg::code_info& c) {
      return c.number >= first && c.number <= last && !c.meaning.empty() && !c.usual_cause.empty() && !c.what_to_do.empty();
    });
  };
  CHECK(all_between(tg::language_codes, 100, 199));
  CHECK(all_between(tg::analysis_codes, 200, 299));
  CHECK(all_between(tg::ptx::codes, 300, 399));
  CHECK(all_between(tg::emulator::codes, 400, 499));
  CHECK(all_between(tg::driver::codes, 500, 519));
  CHECK(all_between(tg::runtime::codes, 520, 599));
}

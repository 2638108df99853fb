#include <tg/dsl/verdict/missing_words.hpp>

#include <doctest/doctest.h>

#include <cctype>
#include <cmath>
#include <concepts>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <tg/dsl/math/exp.hpp>

namespace {

struct missing_word { std::string word, text; };

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream out;
  out << std::ifstream(path).rdbuf();
  return out.str();
}

/// The rows of the header: each word, and what is said of it behind the code.
std::vector<missing_word> rows_of(const std::string& header) {
  std::vector<missing_word> out;
  std::istringstream lines(header);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("TG_MISSING")) continue;
    const std::size_t open = line.find(", \""), before = line.find_last_of("( ", open) + 1;
    out.push_back({line.substr(before, open - before), line.substr(open + 3, line.rfind('"') - open - 3)});
  }
  return out;
}

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Whether `text` declares a function with this name.
bool declares(std::string_view text, const std::string& word) {
  for (std::size_t at = text.find(' ' + word + '('); at != text.npos; at = text.find(' ' + word + '(', at + 1))
    if (text.substr(0, at).rfind("//") == text.npos || text.substr(0, at).rfind('\n') + 1 > text.substr(0, at).rfind("//") + 1)
      return true;
  return false;
}

/// The header and all that it includes, from `include/` on.
void collect_headers(const std::string& header, std::set<std::string>& out) {
  if (!out.insert(header).second) return;
  std::istringstream lines(text_of("include/" + header));
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("#include <tg/")) collect_headers(line.substr(10, line.find('>') - 10), out);
}
const std::set<std::string>& headers_of_tg() {
  static const std::set<std::string> all = [] {
    std::set<std::string> out;
    collect_headers("tg/tg.hpp", out);
    return out;
  }();
  return all;
}

/// What is wrong with a row: its header is not there, does not declare the word or does not come with tg/tg.hpp; the word it
/// advises is in no header.
std::string complaint(const missing_word& row, const std::string& all_headers) {
  constexpr std::string_view include = "include ";
  if (row.text.starts_with(include)) {
    const std::string header = row.text.substr(include.size(), row.text.find(',') - include.size());
    if (!declares(text_of("include/" + header), row.word)) return header + " does not declare " + row.word;
    if (row.text.find("or tg/tg.hpp") != row.text.npos && !headers_of_tg().contains(header))
      return header + " does not come with tg/tg.hpp";
    return "";
  }
  for (std::size_t at = row.text.find("tg::"); at != row.text.npos; at = row.text.find("tg::", at + 1)) {
    std::size_t end = at + 4;
    while (end < row.text.size() && is_name(row.text[end])) ++end;
    const std::string word = row.text.substr(at + 4, end - at - 4);
    if (!declares(all_headers, word) && word != "in") return row.word + ": there is no " + word;
  }
  return "";
}

std::string all_headers() {
  std::string out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("include/tg/dsl"))
    if (entry.path().extension() == ".hpp" && entry.path().filename() != "missing_words.hpp") out += text_of(entry.path());
  return out;
}

}  // namespace

TEST_CASE("a missing word is in the header that its error names, and the word that an error advises exists") {
  const auto rows = rows_of(text_of("include/tg/dsl/verdict/missing_words.hpp"));
  REQUIRE(rows.size() > 150);
  const std::string headers = all_headers();
  for (const auto& row : rows) CHECK_MESSAGE(complaint(row, headers).empty(), complaint(row, headers));
}

TEST_CASE("a row with the wrong header or advice is found") {
  const std::string headers = "auto max(const X& x) {\n";
  CHECK(complaint({"exp", "include tg/dsl/math/exp.hpp, or tg/tg.hpp"}, headers).empty());
  CHECK(complaint({"exp", "include tg/dsl/math/log.hpp, or tg/tg.hpp"}, headers) == "tg/dsl/math/log.hpp does not declare exp");
  CHECK(complaint({"exp", "include tg/dsl/math/none.hpp, or tg/tg.hpp"}, headers) ==
        "tg/dsl/math/none.hpp does not declare exp");
  CHECK(complaint({"analyze", "include tg/dsl/proof/analyze.hpp, or tg/tg.hpp"}, headers) ==
        "tg/dsl/proof/analyze.hpp does not come with tg/tg.hpp");
  CHECK(complaint({"fmaxf", "write tg::max(a, b)"}, headers).empty());
  CHECK(complaint({"fmaxf", "write tg::maximum(a, b)"}, headers) == "fmaxf: there is no maximum");
}

TEST_CASE("a word that is there hides the missing one") {
  static_assert(requires(const tg::value<float>& x) {
    { tg::exp(x) } -> std::same_as<tg::value<float>>;
  });
  static_assert(requires(const tg::value<float>& x) { tg::missing::erf(x); });
}

namespace uses_both {

using namespace tg;

float sum(std::span<const float> x) { return x[0] + x[1]; }

struct base { int number = 7; };
struct derived : base {};
int row(const base& b) { return b.number; }

float on_the_host() {
  ::printf("%s", "");
  const std::vector<float> some{1, 2};
  if (sum(some) != 3 || row(derived{}) != 7) return 0;  // conversions would make a missing word the better match
  return expf(0.0f) + exp(0.0f) + fmaxf(0.0f, printf("%s", "") == 0 ? 1.0f : 0.0f);
}

}  // namespace uses_both

// A program's own words with names of CUDA's.
namespace has_its_own {

template <class X> int clz(const X&) { return 1; }
template <class X> int fmaxf(X, X) { return 2; }
int popc(const tg::value<unsigned>&) { return 3; }

int call(const tg::value<unsigned>& x) { return 100 * clz(x) + 10 * fmaxf(x, x) + popc(x); }

}  // namespace has_its_own

TEST_CASE("missing words leave calls of the C library alone") { CHECK(uses_both::on_the_host() == 3.0f); }

TEST_CASE("a program's own functions come before those that CUDA has") {
  static_assert(std::same_as<decltype(has_its_own::call(std::declval<tg::value<unsigned>>())), int>);
  static_assert(requires(const tg::value<unsigned>& x) { tg::cuda_words::clz(x); });
}

#include <tg/explain/source_text.hpp>

#include <doctest/doctest.h>

#include "sample.hpp"

using tg::detail::read_source;
using tg::detail::to_lines;
using tg::detail::with_source;

namespace {

tg::explained_line used(const char* file, std::uint32_t line) {
  tg::explained_line out;
  out.where = {file, line};
  out.is_used = true;
  return out;
}

}  // namespace

TEST_CASE("a text falls into lines") {
  CHECK(to_lines("").empty());
  CHECK(to_lines("a\r\nb\n") == tg::dynamic_array<std::string>{"a", "b"});
  CHECK(to_lines("a\n\nb") == tg::dynamic_array<std::string>{"a", "", "b"});
}

TEST_CASE("a file is found as it is named, and below the current folder") {
  const auto direct = read_source("tests/explain/source_text.cpp");
  REQUIRE(direct.size() > 10);
  CHECK(direct[0] == "#include <tg/explain/source_text.hpp>");
  CHECK(read_source("../../tests/explain/source_text.cpp") == direct);
}

TEST_CASE("a file that is missing or cannot be read leaves the lines without their text") {
  for (const char* file : {"tests/explain/missing.cpp", "tests/explain", "", "/proc/self/mem"}) {
    CAPTURE(file);
    CHECK(read_source(file).empty());
    const auto lines = with_source({used(file, 3), used(file, 9)});
    REQUIRE(lines.size() == 2);
    CHECK(lines[1].where.line == 9);
    CHECK(lines[1].text.empty());
  }
}

TEST_CASE("lines are shown with what is around them, once each") {
  const char* const file = "tests/explain/source_text.cpp";
  const auto lines = with_source({used(file, 2), used(file, 4), used(file, 30), used("missing", 1)}, 2);
  tg::dynamic_array<std::uint32_t> numbers, kept;
  for (const auto& l : lines) {
    numbers.push_back(l.where.line);
    if (l.is_used) kept.push_back(l.where.line);
  }
  CHECK(numbers == tg::dynamic_array<std::uint32_t>{1, 2, 3, 4, 5, 6, 28, 29, 30, 31, 32, 1});
  CHECK(kept == tg::dynamic_array<std::uint32_t>{2, 4, 30, 1});
}

TEST_CASE("a line behind the end of its file keeps its costs") {
  const auto lines = with_source({used("tests/explain/source_text.cpp", 100000)});
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].text.empty());
}

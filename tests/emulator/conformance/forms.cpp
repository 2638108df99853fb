// Every form of the table is decoded, in a text for the least version and target that it needs.
#include <tg/ptx/forms/forms.hpp>

#include <doctest/doctest.h>

#include <tg/ptx/forms/requirements.hpp>

#include "../../ptx/sample.hpp"
#include "../runner.hpp"

namespace {

using namespace tg::ptx;

std::string failure_of(const form& f) {
  return runner::failure([&] {
    test::sampler sample;
    if (sample.add(f) == 0) throw tg::error(tg::code{400}, "no sample", "");
    derive_requirements(sample.mod());
    tg::emulator::memory memory(std::size_t{1} << 20);
    tg::emulator::program::load(sample.mod(), memory);
  });
}

template <std::size_t N> void check_forms(const form_row (&rows)[N]) {
  int checked = 0;
  for (const form& f : form_table::get().all()) {
    const auto is_same = [&](const form_row& row) { return row.op == f.op() && std::string_view(row.tokens) == f.row.tokens; };
    if (std::none_of(std::begin(rows), std::end(rows), is_same)) continue;
    CAPTURE(f.spelling());
    CHECK_EQ(failure_of(f), "");
    ++checked;
  }
  CHECK_GE(checked, 10);
}

}  // namespace

TEST_CASE("conformance: all forms of arithmetic are decoded") { check_forms(forms::arithmetic); }
TEST_CASE("conformance: all forms of moves and conversions are decoded") { check_forms(forms::conversion); }
TEST_CASE("conformance: all forms of memory accesses are decoded") { check_forms(forms::memory); }
TEST_CASE("conformance: all forms of control flow are decoded") { check_forms(forms::control); }
TEST_CASE("conformance: all forms of asynchronous copies are decoded") { check_forms(forms::asynchronous); }
TEST_CASE("conformance: all forms of matrix instructions are decoded") { check_forms(forms::matrix); }

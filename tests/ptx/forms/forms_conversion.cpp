#include <tg/ptx/forms/forms_conversion.hpp>

#include <doctest/doctest.h>

#include "../forms_judge.hpp"

namespace {
namespace test = tg::ptx::test;
constexpr auto& rows = tg::ptx::forms::conversion;
}  // namespace

TEST_CASE("conversion: every row verifies, prints and parses") { test::check_round_trip(rows); }

TEST_CASE("conversion: ptxas takes every row at the target and version it names") { test::check_with_ptxas(rows); }

TEST_CASE("conversion: the rows accept what ptxas accepted, form by form") { CHECK(test::check_against_list(rows) > 0); }

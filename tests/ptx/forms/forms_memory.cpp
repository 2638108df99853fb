#include <tg/ptx/forms/forms_memory.hpp>

#include <doctest/doctest.h>

#include "../forms_judge.hpp"

namespace {
namespace test = tg::ptx::test;
constexpr auto& rows = tg::ptx::forms::memory;
}  // namespace

TEST_CASE("memory: every row verifies, prints and parses") { test::check_round_trip(rows); }

TEST_CASE("memory: ptxas takes every row at the target and version it names") { test::check_with_ptxas(rows); }

TEST_CASE("memory: the rows accept what ptxas accepted, form by form") { CHECK(test::check_against_list(rows) > 0); }

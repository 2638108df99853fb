#include <tg/ptx/forms/forms_async.hpp>

#include <doctest/doctest.h>

#include "../forms_judge.hpp"

namespace {
namespace test = tg::ptx::test;
constexpr auto& rows = tg::ptx::forms::asynchronous;
}  // namespace

TEST_CASE("asynchronous: every row verifies, prints and parses") { test::check_round_trip(rows); }

TEST_CASE("asynchronous: ptxas takes every row at the target and version it names") { test::check_with_ptxas(rows); }

TEST_CASE("asynchronous: the rows accept what ptxas accepted, form by form") { CHECK(test::check_against_list(rows) > 0); }

TEST_CASE("a cp.async may be told to ignore its source by a predicate") {
  const auto accepts = [](const char* text) {
    try {
      return test::requirement_of_text(text).sm == 80;
    } catch (const tg::error&) { return false; }
  };
  CHECK(accepts("cp.async.ca.shared.global [shm], [%l0], 16, %p0"));
  CHECK(accepts("cp.async.ca.shared.global [shm], [%l0], 16, %r0"));
  CHECK(accepts("cp.async.ca.shared.global.L2::cache_hint [shm], [%l0], 16, %p0, %l1"));
  CHECK_FALSE(accepts("cp.async.ca.shared.global [shm], [%l0], 16, %l0"));
  CHECK_FALSE(accepts("cp.async.ca.shared.global [%l0], [shm], 16"));
}

TEST_CASE("coordinates stand inside the brackets of their map, as many as the tensor has dimensions") {
  const auto fails = [](const char* text) {
    try {
      test::requirement_of_text(text);
      return false;
    } catch (const tg::error&) { return true; }
  };
  CHECK_FALSE(fails("cp.async.bulk.prefetch.tensor.2d.L2.global [%l1, {%r0, %r1}]"));
  CHECK(fails("cp.async.bulk.prefetch.tensor.2d.L2.global [%l1, {%r0}]"));
  CHECK(fails("cp.async.bulk.prefetch.tensor.2d.L2.global [%l1], {%r0, %r1}"));
  CHECK(fails("cp.async.bulk.prefetch.tensor.2d.L2.global [%l1]"));
}

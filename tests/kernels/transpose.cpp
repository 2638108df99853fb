#include <kernels/transpose.hpp>

#include "transposes.hpp"

using tg::kernels::transpose_swizzled;

TEST_CASE("swizzled transpose") { transposes::check(transpose_swizzled); }

TEST_CASE("the swizzled transpose is proved without conflicts") {
  const auto rows = transposes::count(transpose_swizzled);
  CHECK(rows.empty() == false);
  for (const auto& row : rows) CHECK(row.access.verdict == tg::verdict::proved);
}

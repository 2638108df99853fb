#include <kernels/transpose_steps.hpp>

#include "transposes.hpp"

using namespace tg::kernels;
using transposes::check, transposes::count;

TEST_CASE("naive transpose") { check(transpose_naive); }
TEST_CASE("tiled transpose") { check(transpose_tiled); }
TEST_CASE("padded transpose") { check(transpose_padded); }

TEST_CASE("each step of the staircase repairs what the one before excused") {
  int uncoalesced = 0, conflicts = 0;
  for (const auto& row : count(transpose_naive)) {
    CHECK_FALSE(row.access.is_shared);
    CHECK((row.access.verdict == tg::verdict::allowed) == row.access.is_write);
    CHECK(row.access.global.sectors == (row.access.is_write ? 32 : 5));
    uncoalesced += row.access.is_write;
  }
  CHECK(uncoalesced == 4);
  for (const auto& row : count(transpose_tiled)) {
    const bool is_column = row.access.is_shared && !row.access.is_write;
    CHECK((row.access.verdict == tg::verdict::allowed) == is_column);
    if (is_column) CHECK(row.access.shared.ways == 32);
    conflicts += is_column;
  }
  CHECK(conflicts == 4);
  for (const auto& row : count(transpose_padded)) CHECK(row.access.verdict == tg::verdict::proved);
}

#include <tg/analysis/capability_table.hpp>

#include <doctest/doctest.h>

#include <algorithm>

using namespace tg::analysis;

static_assert(most_shared_bytes == 227 << 10);

TEST_CASE("capabilities are in order, and each says what a multiprocessor can hold") {
  CHECK(std::ranges::is_sorted(capability_table, std::ranges::less{}, &capability_figures::sm));
  for (const capability_figures& c : capability_table) {
    CAPTURE(c.sm);
    CHECK(c.multiprocessor.threads % 32 == 0);
    CHECK(c.multiprocessor.threads >= max_block_threads);
    CHECK(c.multiprocessor.shared_opt_in_bytes == c.multiprocessor.shared_bytes - c.multiprocessor.shared_reserved_bytes);
  }
}

TEST_CASE("a capability that the table does not have is taken as the newest before it") {
  CHECK(multiprocessor_of(90) == multiprocessor_of(91));
  CHECK_FALSE(multiprocessor_of(90) == multiprocessor_of(89));
  CHECK(multiprocessor_of(10) == capability_table[0].multiprocessor);
}

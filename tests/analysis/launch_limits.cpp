#include <tg/analysis/launch_limits.hpp>

#include <doctest/doctest.h>

#include <tg/analysis/capability_table.hpp>

using namespace tg::analysis;

TEST_CASE("every multiprocessor holds the largest block, its registers and its declared shared memory") {
  for (const capability_figures& c : capability_table) {
    CAPTURE(c.sm);
    CHECK(c.multiprocessor.threads >= max_block_threads);
    CHECK(c.multiprocessor.registers / max_block_threads < max_thread_registers);
    CHECK(c.multiprocessor.shared_opt_in_bytes >= max_static_shared_bytes);
  }
}

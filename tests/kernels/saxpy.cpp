#include <kernels/saxpy.hpp>

#include "saxpies.hpp"

using tg::kernels::saxpy;

TEST_CASE("saxpy adds") {
  saxpies::check(saxpy, [](unsigned n) { return n; });
}

TEST_CASE("saxpy costs what the compiler says") { saxpies::check_counts(saxpy, 4096); }

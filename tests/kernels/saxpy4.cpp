#include <kernels/saxpy4.hpp>

#include "saxpies.hpp"

using tg::kernels::saxpy4, tg::kernels::saxpy4_threads;

TEST_CASE("saxpy of four elements per thread adds") { saxpies::check(saxpy4, saxpy4_threads); }
TEST_CASE("saxpy of four elements per thread costs what the compiler says") { saxpies::check_counts(saxpy4, 1024); }

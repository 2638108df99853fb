#include <registry/reductions.hpp>

#include "rows.hpp"

TEST_CASE("rows of reductions") { registry::each_reduction(registry::try_row); }

#include <registry/grids.hpp>

#include "rows.hpp"

TEST_CASE("rows of grids") { registry::each_of_grids(registry::try_row); }

#include "rows.hpp"

TEST_CASE("rows of grids") { registry::try_rows("grids"); }

#include "rows.hpp"

TEST_CASE("rows of points") { registry::try_rows("points"); }

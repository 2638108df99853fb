#include "rows.hpp"

TEST_CASE("rows of transforms") { registry::try_rows("transforms"); }

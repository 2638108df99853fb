#include "rows.hpp"

TEST_CASE("rows of segmented reductions") { registry::try_rows("segments"); }

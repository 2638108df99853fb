#include "rows.hpp"

TEST_CASE("rows of reductions") { registry::try_rows("reductions"); }

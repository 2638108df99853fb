#include "rows.hpp"

TEST_CASE("rows of quantised weights") { registry::try_rows("quantised"); }

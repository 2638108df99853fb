#include "rows.hpp"

TEST_CASE("rows of scans") { registry::try_rows("scans"); }

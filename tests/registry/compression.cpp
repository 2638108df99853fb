#include "rows.hpp"

TEST_CASE("rows of compression") { registry::try_rows("compression"); }

#include "rows.hpp"

TEST_CASE("rows of sorting") { registry::try_rows("sorting"); }

#include "rows.hpp"

TEST_CASE("rows of linear algebra") { registry::try_rows("linear_algebra"); }

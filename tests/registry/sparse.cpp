#include "rows.hpp"

TEST_CASE("rows of sparse matrices") { registry::try_rows("sparse"); }

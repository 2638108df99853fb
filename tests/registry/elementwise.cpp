#include "rows.hpp"

TEST_CASE("rows of element-wise kernels") { registry::try_rows("elementwise"); }

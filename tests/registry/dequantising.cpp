#include "rows.hpp"

TEST_CASE("rows of products with quantised weights") { registry::try_rows("dequantising"); }

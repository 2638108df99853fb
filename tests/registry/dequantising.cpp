#include <registry/dequantising.hpp>

#include "rows.hpp"

TEST_CASE("rows of products with quantised weights") { registry::each_dequantising(registry::try_row); }

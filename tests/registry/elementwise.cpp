#include <registry/elementwise.hpp>

#include "rows.hpp"

TEST_CASE("rows of element-wise kernels") { registry::each_elementwise(registry::try_row); }

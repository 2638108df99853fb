#include <registry/linear_algebra.hpp>

#include "rows.hpp"

TEST_CASE("rows of linear algebra") { registry::each_of_linear_algebra(registry::try_row); }

#include <registry/points.hpp>

#include "rows.hpp"

TEST_CASE("rows of points") { registry::each_of_points(registry::try_row); }

#include <registry/segments.hpp>

#include "rows.hpp"

TEST_CASE("rows of segmented reductions") { registry::each_segmented(registry::try_row); }

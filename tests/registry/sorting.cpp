#include <registry/sorting.hpp>

#include "rows.hpp"

TEST_CASE("rows of sorting") { registry::each_sort(registry::try_row); }

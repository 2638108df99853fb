#include <registry/quantised.hpp>

#include "rows.hpp"

TEST_CASE("rows of quantised weights") { registry::each_quantised(registry::try_row); }

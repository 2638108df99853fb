#include "rows.hpp"

TEST_CASE("rows of histograms") { registry::try_rows("histograms"); }

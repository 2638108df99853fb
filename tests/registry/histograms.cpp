#include <registry/histograms.hpp>

#include "rows.hpp"

TEST_CASE("rows of histograms") { registry::each_histogram(registry::try_row); }

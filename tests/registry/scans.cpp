#include <registry/scans.hpp>

#include "rows.hpp"

TEST_CASE("rows of scans") { registry::each_scan(registry::try_row); }

#include <registry/compression.hpp>

#include "rows.hpp"

TEST_CASE("rows of compression") { registry::each_compression(registry::try_row); }

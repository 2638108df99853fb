#include <registry/attention.hpp>

#include "rows.hpp"

TEST_CASE("rows of attention") { registry::each_attention(registry::try_row); }

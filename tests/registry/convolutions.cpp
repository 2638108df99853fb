#include "rows.hpp"

TEST_CASE("rows of convolutions") { registry::try_rows("convolutions"); }

#include "rows.hpp"

TEST_CASE("rows of what stands around attention") { registry::try_rows("transformer"); }

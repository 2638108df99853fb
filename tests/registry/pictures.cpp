#include "rows.hpp"

TEST_CASE("rows of pictures") { registry::try_rows("pictures"); }

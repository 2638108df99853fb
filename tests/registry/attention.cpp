#include "rows.hpp"

TEST_CASE("rows of attention") { registry::try_rows("attention"); }

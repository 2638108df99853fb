#include "rows.hpp"

TEST_CASE("rows of recurrences") { registry::try_rows("recurrences"); }

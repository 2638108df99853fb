#include "rows.hpp"

TEST_CASE("rows of products") { registry::try_rows("products"); }

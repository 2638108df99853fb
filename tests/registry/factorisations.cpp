#include "rows.hpp"

TEST_CASE("rows of factorisations") { registry::try_rows("factorisations"); }

#include "rows.hpp"

TEST_CASE("rows of softmax and transposes") { registry::try_rows("rows_of_matrices"); }

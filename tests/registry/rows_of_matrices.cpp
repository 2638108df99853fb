#include <registry/rows_of_matrices.hpp>

#include "rows.hpp"

TEST_CASE("rows of softmax and transposes") { registry::each_of_matrices(registry::try_row); }

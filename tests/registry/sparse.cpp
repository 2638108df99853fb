#include <registry/sparse.hpp>

#include "rows.hpp"

TEST_CASE("rows of sparse matrices") { registry::each_sparse(registry::try_row); }

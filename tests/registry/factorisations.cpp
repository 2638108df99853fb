#include <registry/factorisations.hpp>

#include "rows.hpp"

TEST_CASE("rows of factorisations") { registry::each_factorisation(registry::try_row); }

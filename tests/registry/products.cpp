#include <registry/products.hpp>

#include "rows.hpp"

TEST_CASE("rows of products") { registry::each_product(registry::try_row); }

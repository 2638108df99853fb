#include <registry/transformer.hpp>

#include "rows.hpp"

TEST_CASE("rows of what stands around attention") { registry::each_of_transformer(registry::try_row); }

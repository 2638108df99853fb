#include <registry/norms.hpp>

#include "rows.hpp"

TEST_CASE("rows of norms, softmax in tiles and losses") { registry::each_norm(registry::try_row); }

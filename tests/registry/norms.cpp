#include "rows.hpp"

TEST_CASE("rows of norms, softmax in tiles and losses") { registry::try_rows("norms"); }

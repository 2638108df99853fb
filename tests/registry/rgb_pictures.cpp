#include "rows.hpp"

TEST_CASE("rows of filters of RGB pictures") { registry::try_rows("rgb_pictures"); }

#include <registry/transforms.hpp>

#include "rows.hpp"

TEST_CASE("rows of transforms") { registry::each_transform(registry::try_row); }

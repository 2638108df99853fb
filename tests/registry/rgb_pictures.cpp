#include <registry/rgb_pictures.hpp>

#include "rows.hpp"

TEST_CASE("rows of filters of RGB pictures") { registry::each_of_rgb_pictures(registry::try_row); }

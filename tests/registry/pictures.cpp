#include <registry/pictures.hpp>

#include "rows.hpp"

TEST_CASE("rows of pictures") { registry::each_of_pictures(registry::try_row); }

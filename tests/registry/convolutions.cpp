#include <registry/convolutions.hpp>

#include "rows.hpp"

TEST_CASE("rows of convolutions") { registry::each_convolution(registry::try_row); }

#include <registry/recurrences.hpp>

#include "rows.hpp"

TEST_CASE("rows of recurrences") { registry::each_recurrence(registry::try_row); }

#include "rows.hpp"

TEST_CASE("rows of gradients of attention") { registry::try_rows("attention_gradients"); }

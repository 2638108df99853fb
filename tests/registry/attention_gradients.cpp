#include <registry/attention_gradients.hpp>

#include "rows.hpp"

TEST_CASE("rows of gradients of attention") { registry::each_attention_gradient(registry::try_row); }

#include "rows.hpp"

TEST_CASE("rows of attention for decoding") { registry::try_rows("attention_decode"); }

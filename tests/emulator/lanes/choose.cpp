#include <tg/emulator/lanes/choose.hpp>

#include <doctest/doctest.h>

TEST_CASE("an operation is chosen by the width and sign of its type") {
  using enum lane_type;
  CHECK((word_two<add_op>(u16) == word_two<add_op>(s32)));
  CHECK((word_two<add_op>(u64) != word_two<add_op>(u32)));
  CHECK((order_test<lt_op>(s16) != order_test<lt_op>(u16)));
  CHECK((float_one<saturate_op>(u32) == nullptr));
  CHECK((find_wide_product(u64) == nullptr));
}

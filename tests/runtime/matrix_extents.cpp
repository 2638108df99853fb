#include <tg/runtime/matrix_extents.hpp>

#include <tg/dsl/bulk/tensor_map.hpp>
#include <tg/runtime/argument.hpp>

#include <doctest/doctest.h>

using namespace tg::runtime;

namespace {
struct matrix {
  static std::uint64_t extent(int k) { return k == 0 ? 7 : 5; }
};
}  // namespace

TEST_CASE("matrices that are only read may have maps") {
  CHECK(may_be_mapped<tg::in2<float>>);
  CHECK_FALSE(may_be_mapped<tg::in<float>>);
  CHECK_FALSE(may_be_mapped<tg::in3<float>>);
  CHECK_FALSE(may_be_mapped<tg::inout2<float>>);
  CHECK_FALSE(may_be_mapped<tg::scalar<float>>);
  CHECK_FALSE(may_be_mapped<tg::in_map<float, tg::shape<8, 32>>>);
}

TEST_CASE("the extents of such matrices are noted one behind the other") {
  matrix_extents all[2];
  std::size_t at = 0;
  note_extents<tg::in<float>>(all, at, 0, 1, matrix());
  CHECK(at == 0);
  note_extents<tg::in2<float>>(all, at, 16, 2, matrix());
  CHECK(at == 1);
  CHECK(all[0].number == 2);
  CHECK(all[0].offset == 16);
  CHECK(all[0].rows == 7);
  CHECK(all[0].columns == 5);
}

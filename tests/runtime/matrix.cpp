#include <tg/runtime/matrix.hpp>

#include <type_traits>

#include "hand_written.hpp"

using hand_written::error_of;

TEST_CASE("a matrix is rows and columns of a buffer or a part") {
  tg::device gpu("emulator");
  auto b = gpu.zeros<float>(100);
  const tg::matrix whole(b, 10, 10);
  CHECK(whole.leading() == 10);
  CHECK(whole.native() == b.native());
  const tg::matrix padded(b, 9, 10, 11);
  CHECK(padded.rows() == 9);
  CHECK(padded.columns() == 10);
  CHECK(padded.leading() == 11);
  const tg::matrix last_row_short(b, 10, 1, 11);
  CHECK(last_row_short.leading() == 11);
  const tg::matrix inner(b.part(5, 95), 5, 5, 10);
  CHECK(inner.native() == b.native() + 20);
  const auto& constant = b;
  const tg::matrix read_only(constant, 10, 10);
  CHECK(std::is_same_v<decltype(read_only), const tg::matrix<const float>>);
  CHECK(std::is_same_v<decltype(inner), const tg::matrix<float>>);
}

TEST_CASE("a matrix that does not fit is refused") {
  tg::device gpu("emulator");
  auto b = gpu.zeros<float>(100);
  const auto large = error_of([&] { tg::matrix(b, 10, 11); });
  CHECK(large.number == 530);
  CHECK(large.says("10 rows and 11 columns with a leading dimension of 11 in a buffer of 100"));
  CHECK(error_of([&] { tg::matrix(b, 10, 10, 9); }).number == 530);
  CHECK(error_of([&] { tg::matrix(b, 10, 2, 11); }).number == 530);
  CHECK(error_of([&] { tg::matrix(b, ~std::size_t{0}, 10); }).number == 530);
  CHECK(error_of([&] { tg::matrix(b, std::size_t{1} << 32, 1, std::size_t{1} << 32); }).number == 530);
  CHECK(error_of([&] { tg::matrix(b, 1, 10, std::size_t{1} << 32); }).number == 530);
  CHECK(error_of([&] { tg::matrix(b.part(50, 50), 6, 10); }).number == 530);
  CHECK(error_of([&] { tg::matrix(b.part(50, 50), 5, 10); }).number == 0);
}

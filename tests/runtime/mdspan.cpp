#include <tg/runtime/mdspan.hpp>

#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <tg/dsl.hpp>

#include "hand_written.hpp"

using hand_written::error_of;

TEST_CASE("a matrix is rows and columns of a buffer or a part") {
  tg::device gpu("emulator");
  auto b = gpu.zeros<float>(100);
  const auto whole = tg::matrix(b, 10, 10);
  CHECK(whole.stride(0) == 10);
  CHECK(whole.native() == b.native());
  const auto padded = tg::matrix(b, 9, 10, 11);
  CHECK(padded.extent(0) == 9);
  CHECK(padded.extent(1) == 10);
  CHECK(padded.stride(0) == 11);
  const auto last_row_short = tg::matrix(b, 10, 1, 11);
  CHECK(last_row_short.stride(0) == 11);
  const auto inner = tg::matrix(b.part(5, 95), 5, 5, 10);
  CHECK(inner.native() == b.native() + 20);
  const auto& constant = b;
  const auto read_only = tg::matrix(constant, 10, 10);
  CHECK(std::is_same_v<decltype(read_only), const tg::mdspan<const float, 2>>);
  CHECK(std::is_same_v<decltype(inner), const tg::mdspan<float, 2>>);
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
  CHECK(error_of([&] { tg::matrix(b, 1, 10, std::size_t{1} << 32); }).number == 0);
  CHECK(error_of([&] { tg::matrix(b.part(50, 50), 6, 10); }).number == 530);
  CHECK(error_of([&] { tg::matrix(b.part(50, 50), 5, 10); }).number == 0);
}

namespace {

constexpr std::size_t rows = 65537, columns = 65536;  // of bytes: one row beyond 2^32

constexpr auto mark = tg::kernel<"mark">(tg::block<32>, [](auto block, tg::out2<std::uint8_t> m, tg::scalar<unsigned> row,
                                                           tg::scalar<std::uint64_t> row64, tg::scalar<int> row_s) {
  using namespace tg::literals;
  const auto column = block.thread.x;
  m(row, column) = tg::cast<std::uint8_t>(column + 1u);
  m(row64, column + 32u) = tg::cast<std::uint8_t>(column + 2u);
  m(row_s, tg::cast<std::int64_t>(column) + 64_c) = tg::cast<std::uint8_t>(column + 3u);
  m(65536, column + 96u) = tg::cast<std::uint8_t>(column + 4u);
});

}  // namespace

TEST_CASE("elements beyond 2^32 are where they belong") {
  tg::device gpu("emulator");
  auto bytes = gpu.allocate<std::uint8_t>(rows * columns);
  const std::vector<std::uint8_t> zeros(columns);
  bytes.copy_from(zeros);
  bytes.copy_from(zeros, 65536 * columns);
  gpu.launch(mark, tg::grid(1), tg::matrix(bytes, rows, columns), 65536, 65536, 65536);
  std::vector<std::uint8_t> first(128), last(129);
  bytes.copy_to(first, 0);
  bytes.copy_to(last, 65536 * columns);
  CHECK(first == std::vector<std::uint8_t>(128));
  for (unsigned i = 0; i < 128; ++i) CHECK(last[i] == i % 32 + i / 32 + 1);
  CHECK(last[128] == 0);
}

TEST_CASE("an array of 1 to 4 dimensions, with strides or without gaps") {
  tg::device gpu("emulator");
  auto b = gpu.zeros<float>(120);
  const tg::mdspan cube(b, 4, 5, 6);
  CHECK(std::is_same_v<decltype(cube), const tg::mdspan<float, 3>>);
  CHECK(cube.stride(0) == 30);
  CHECK(cube.stride(1) == 6);
  CHECK(cube.stride(2) == 1);
  CHECK(cube.is_dense());
  CHECK(cube.count() == 120);
  const tg::mdspan four(b.part(20, 100), 2, 2, 5, 5);
  CHECK(four.stride(0) == 50);
  CHECK(four.native() == b.native() + 80);
  const tg::mdspan apart(b, std::array<std::size_t, 3>{3, 4, 5}, std::array<std::size_t, 2>{40, 8});
  CHECK(apart.stride(0) == 40);
  CHECK_FALSE(apart.is_dense());
  CHECK(apart.count() == 60);
  const auto& constant = b;
  const tg::mdspan line(constant, 120);
  CHECK(std::is_same_v<decltype(line), const tg::mdspan<const float, 1>>);
}

TEST_CASE("an array that does not fit, or whose rows overlap, is refused") {
  tg::device gpu("emulator");
  auto b = gpu.zeros<float>(120);
  const auto refused = [&](std::array<std::size_t, 3> extents, std::array<std::size_t, 2> strides) {
    return error_of([&] { tg::mdspan(b, extents, strides); });
  };
  CHECK(refused({4, 5, 6}, {30, 6}).number == 0);
  CHECK(refused({4, 5, 6}, {30, 7}).number == 530);
  CHECK(refused({4, 5, 6}, {30, 5}).number == 530);
  CHECK(refused({4, 5, 6}, {29, 6}).number == 530);
  CHECK(refused({3, 5, 6}, {45, 6}).number == 0);
  CHECK(refused({3, 5, 6}, {46, 6}).says("an array of 3 x 5 x 6 elements with strides of 46 x 6 x 1 in a buffer of 120"));
  CHECK(refused({~std::size_t{0}, 2, 2}, {4, 2}).number == 530);
  CHECK(refused({2, ~std::size_t{0}, 2}, {~std::size_t{0}, 2}).number == 530);
  CHECK(error_of([&] { tg::mdspan(b, ~std::size_t{0}, std::size_t{2}, std::size_t{3}); }).number == 530);
}

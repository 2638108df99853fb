#include <tg/tile/shared_rectangle.hpp>

#include <tg/tile/dot.hpp>
#include <tg/tile/pipeline.hpp>

#include "tiles.hpp"

namespace {

using namespace tg::literals;

/// y: 64 x 32 of a from (row, column) on, transposed or not; of T by a block for sm_Sm.
template <class T, int Sm, bool IsTransposed>
constexpr auto cuts = tg::kernel<"cuts">(
    tg::block<128> | tg::for_sm<Sm>, [](auto block, tg::in2<T, tg::multiple_of<16>> a, tg::out2<float, tg::multiple_of<4>> y) {
      const auto shared = tg::to_shared(block, tg::tile_at<128, 128>(tg::sized(a, 128u, 128u), 0_c, 0_c));
      auto sum = tg::zeros<float, 64, 32>(block);
      if constexpr (IsTransposed) sum = tg::cast<float>(tg::tile_at<64, 32>(tg::transposed(shared), 64_c, 96_c));
      else sum = tg::cast<float>(tg::tile_at<64, 32>(shared, 32_c, 64_c));
      tg::tile_at<64, 32>(tg::sized(y, 64u, 32u), 0_c, 0_c) = sum;
    });

template <class T, int Sm, bool IsTransposed> bool check_cut() {
  tg::device gpu;
  std::mt19937 random(7);
  tiles::matrix<T> a(128, 128, 16);
  for (T& x : a.elements) x = T(static_cast<float>(random() % 100));
  tiles::on_device<T> da(gpu, a);
  tiles::on_device<float> dy(gpu, tiles::matrix<float>(64, 32, 4));
  gpu.launch(cuts<T, Sm, IsTransposed>, tg::grid(1), da.argument(), dy.argument());
  const tiles::matrix<float> y = dy.read();
  const tiles::matrix<T>& from = a;
  bool is_same = true;
  for (unsigned r = 0; r < 64; ++r)
    for (unsigned c = 0; c < 32; ++c)
      is_same = is_same && y(r, c) == (IsTransposed ? from(96 + c, 64 + r) : from(32 + r, 64 + c));
  return is_same;
}

}  // namespace

TEST_CASE("rectangles of shared memory are read as operands, transposed or not") {
  CHECK(check_cut<tg::bf16, 80, false>());
  CHECK(check_cut<tg::bf16, 80, true>());
  CHECK(check_cut<signed char, 80, false>());
}
TEST_CASE("where operands lie in panels, too") {
  CHECK(check_cut<tg::bf16, 90, false>());
  CHECK(check_cut<tg::bf16, 90, true>());
  CHECK(check_cut<signed char, 90, false>());
}

namespace {

/// Each element of a plus that at (2, 3), both from shared memory of a block for sm_Sm.
template <int Sm, bool IsTransposed>
constexpr auto adds_one_element =
    tg::kernel<"adds_one_element">(tg::block<128> | tg::for_sm<Sm>, [](auto block, tg::in2<tg::bf16, tg::multiple_of<8>> a,
                                                                       tg::out2<float, tg::multiple_of<4>> y) {
      const auto all = tg::tile_at<64, 64>(tg::sized(a, 64u, 64u), 0_c, 0_c);
      const auto kept = tg::to_shared(block, all);
      const auto own = tg::load(block, all);
      const auto one = [&] {
        if constexpr (IsTransposed) return tg::tile_at<1, 1>(tg::transposed(kept), 3_c, 2_c);
        else return tg::tile_at<1, 1>(kept, 2_c, 3_c);
      }();
      tg::tile_at<64, 64>(tg::sized(y, 64u, 64u), 0_c, 0_c) = tg::cast<float>(own) + tg::cast<float>(one);
    });

template <int Sm, bool IsTransposed> bool check_one_element() {
  tg::device gpu;
  tiles::matrix<tg::bf16> a(64, 64, 8);
  for (unsigned k = 0; k < 64 * 64; ++k) a.elements[k] = tg::bf16(static_cast<float>(k % 101));
  tiles::on_device<tg::bf16> da(gpu, a);
  tiles::on_device<float> dy(gpu, tiles::matrix<float>(64, 64, 4));
  gpu.launch(adds_one_element<Sm, IsTransposed>, tg::grid(1), da.argument(), dy.argument());
  const tiles::matrix<float> y = dy.read();
  const tiles::matrix<tg::bf16>& from = a;
  bool is_same = true;
  for (unsigned r = 0; r < 64; ++r)
    for (unsigned c = 0; c < 64; ++c) is_same = is_same && y(r, c) == from(r, c) + from(2, 3);
  return is_same;
}

}  // namespace

TEST_CASE("one element of shared memory stands for all rows and columns") {
  CHECK(check_one_element<80, false>());
  CHECK(check_one_element<80, true>());
  CHECK(check_one_element<90, false>());
}

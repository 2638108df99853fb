#include <tg/tile/unpacked.hpp>

#include <tg/tile/pipeline.hpp>
#include <tg/tile/shared_rectangle.hpp>

#include "tiles.hpp"

namespace {

using namespace tg::literals;

/// y = the numbers of Bits bits in 64 x 4 words, each times the factor of its group of columns.
template <int Bits>
constexpr auto unpacks =
    tg::kernel<"unpacks">(tg::block<128>, [](auto block, tg::in2<unsigned, tg::multiple_of<4>> words,
                                             tg::in2<int, tg::multiple_of<4>> factors, tg::out2<float, tg::multiple_of<4>> y) {
      constexpr int columns = 4 * 32 / Bits;
      const auto shared = tg::to_shared(block, tg::tile_at<64, 8>(tg::sized(words, 64u, 8u), 0_c, 0_c));
      const auto groups = tg::to_shared(block, tg::tile_at<64, 8>(tg::sized(factors, 64u, 8u), 0_c, 0_c));
      auto sum = tg::zeros<float, 64, columns>(block);
      sum = tg::cast<float>(tg::unpacked<Bits>(tg::tile_at<64, 4>(shared, 0_c, 4_c))) *
            tg::cast<float>(tg::repeat_columns<columns / 4>(tg::tile_at<64, 4>(groups, 0_c, 4_c)));
      tg::tile_at<64, columns>(tg::sized(y, 64u, unsigned(columns)), 0_c, 0_c) = sum;
    });

template <int Bits> bool check_unpacked() {
  tg::device gpu;
  std::mt19937 random(Bits);
  constexpr unsigned columns = 4 * 32 / Bits, per_word = 32 / Bits;
  tiles::matrix<unsigned> words(64, 8, 4);
  for (unsigned& w : words.elements) w = static_cast<unsigned>(random());
  tiles::matrix<int> factors(64, 8, 4);
  for (int& f : factors.elements) f = static_cast<int>(random() % 200) - 100;
  tiles::on_device<unsigned> dw(gpu, words);
  tiles::on_device<int> df(gpu, factors);
  tiles::on_device<float> dy(gpu, tiles::matrix<float>(64, columns, 4));
  gpu.launch(unpacks<Bits>, tg::grid(1), dw.argument(), df.argument(), dy.argument());
  const tiles::matrix<float> y = dy.read();
  bool is_same = true;
  for (unsigned r = 0; r < 64; ++r)
    for (unsigned c = 0; c < columns; ++c) {
      const unsigned number =
          words.elements[r * words.leading + 4 + c / per_word] >> (Bits * (c % per_word)) & ((1u << Bits) - 1);
      is_same = is_same && float(y(r, c)) == float(number) * float(factors.elements[r * 8 + 4 + c / (columns / 4)]);
    }
  return is_same;
}

}  // namespace

TEST_CASE("packed numbers are unpacked, and groups of columns share a number") {
  CHECK(check_unpacked<2>());
  CHECK(check_unpacked<4>());
  CHECK(check_unpacked<8>());
  CHECK(check_unpacked<16>());
}

TEST_CASE("a column that stands for several keeps its registers once") {
  using fine = tg::sums_spread<64, 64, 4, 1>;
  constexpr tg::distribution coarse = tg::coarse_spread<fine, 8>::value;
  CHECK(coarse.columns == 8);
  CHECK(coarse.registers() == fine::value.registers() / 2);  // the register bit of one column is gone
  for (int r = 0; r < fine::value.registers(); ++r) {
    const int own = fine::value.in_coarse(8, r);
    CHECK(coarse.at(own).row == fine::value.at(r).row);
    CHECK(coarse.at(own).column == fine::value.at(r).column / 8);
  }
}

#include <tg/tile/spread_like.hpp>

#include "tiles.hpp"

namespace {

using namespace tg::literals;

/// What was loaded in rows, spread as sums of products are, stored from there.
template <class T>
constexpr auto moves =
    tg::kernel<"moves">(tg::block<128>, [](auto block, tg::in2<T, tg::multiple_of<8>> x, tg::out2<T, tg::multiple_of<8>> y) {
      const auto all = tg::load(block, tg::tile_at<64, 128>(tg::sized(x, 64u, 128u), 0_c, 0_c));
      const auto sums = tg::zeros<float, 64, 128>(tg::warps<2, 2>(block));
      tg::tile_at<64, 128>(tg::sized(y, 64u, 128u), 0_c, 0_c) = tg::spread_like(all, sums);
    });

template <class T> void check_moves() {
  tg::device gpu;
  std::mt19937 random(9);
  const tiles::matrix<T> x(64, 128, random);
  tiles::on_device<T> dx(gpu, x), dy(gpu, tiles::matrix<T>(64, 128));
  gpu.launch(moves<T>, tg::grid(1), dx.argument(), dy.argument());
  const tiles::matrix<T> y = dy.read();
  bool is_same = true;
  for (unsigned r = 0; r < 64; ++r)
    for (unsigned c = 0; c < 128; ++c) is_same = is_same && x(r, c) == y(r, c);
  CHECK(is_same);
}

}  // namespace

TEST_CASE("tiles change how they are spread and keep their elements") {
  check_moves<float>();
  check_moves<tg::bf16>();
}

#include <tg/tile/refused.hpp>

#include <tg/tile.hpp>
#include <tg/tree/operators.hpp>

#include "tiles.hpp"

namespace {

using namespace tg::literals;

/// y = x + the row `bias`, where x is n x n: the words that have refused overloads, used as they are meant.
constexpr auto shifted =
    tg::kernel<"shifted">(tg::block<128>, [](auto block, tg::in2<float, tg::multiple_of<4>> x, tg::in<float> bias,
                                             tg::out2<float, tg::multiple_of<4>> y, tg::scalar<unsigned> n) {
      const auto part = tg::load(block, tg::tile_at<64, 64>(tg::sized(x, n, n), 0_c, 0_c));
      tg::tile_at<64, 64>(tg::sized(y, n, n), 0_c, 0_c) = part + tg::tile_at<64>(tg::sized(bias, n), 0_c);
    });

}  // namespace

TEST_CASE("what is meant is not refused") {
  tg::device gpu;
  std::mt19937 random(5);
  const unsigned n = 60;
  const tiles::matrix<float> x(n, n, random, 4), bias(1, n, random, 1);
  tiles::on_device<float> dx(gpu, x), dy(gpu, tiles::matrix<float>(n, n, 4)), dbias(gpu, bias);
  gpu.launch(shifted, tg::grid(1), dx.argument(), dbias.memory, dy.argument(), n);
  const tiles::matrix<float> y = dy.read();
  bool is_right = true;
  for (unsigned r = 0; r < n; ++r)
    for (unsigned c = 0; c < n; ++c)
      is_right = is_right && y(r, c) == static_cast<float>(x(r, c)) + static_cast<float>(bias(0, c));
  CHECK(is_right);
}

TEST_CASE("a view is told from other operands") {
  using tg::detail::is_float_place, tg::detail::whole_view;
  static_assert(whole_view<tg::in<float>> && whole_view<tg::sized_view<tg::in2<float>>>);
  static_assert(!whole_view<float> && !whole_view<tg::value<float>> && !whole_view<tg::scalar<unsigned>>);
  static_assert(is_float_place<float> && is_float_place<tg::value<float>>);
  static_assert(!is_float_place<unsigned> && !is_float_place<tg::constant<2>> && !is_float_place<tg::scalar<unsigned>>);
}

#include <tg/tree/activation.hpp>

#include <tg/tile/tile_at.hpp>

#include "../tile/tiles.hpp"

namespace {

using namespace tg::literals;

/// Rows of y: relu, sigmoid, silu, gelu, gelu_tanh and erf of a row of x, then the approximate ones, then gates of x + 1.
constexpr auto activations = tg::kernel<"activations">(
    tg::block<32>, [](auto block, tg::in2<float, tg::multiple_of<4>> x, tg::out2<float, tg::multiple_of<4>> y) {
      const auto own = tg::load(block, tg::tile_at<1, 128>(tg::sized(x, 1u, 128u), 0_c, 0_c));
      const auto put = [&](auto row, const auto& tree) { tg::tile_at<1, 128>(tg::sized(y, 12u, 128u), row, 0_c) = tree; };
      put(0_c, tg::relu(own));
      put(1_c, tg::sigmoid(own));
      put(2_c, tg::silu(own));
      put(3_c, tg::gelu(own));
      put(4_c, tg::gelu_tanh(own));
      put(5_c, tg::erf(own));
      put(6_c, tg::approx::sigmoid(own));
      put(7_c, tg::approx::silu(own));
      put(8_c, tg::approx::gelu_tanh(own));
      put(9_c, tg::leaky_relu(own, 0.25f));
      put(10_c, tg::swiglu(own, own + 1.0f));
      put(11_c, tg::geglu(own, own + 1.0f));
    });

}  // namespace

TEST_CASE("activations of tiles are those of their elements") {
  tg::device gpu;
  std::mt19937 random(11);
  const tiles::matrix<float> x(1, 128, random, 4);
  tiles::on_device<float> dx(gpu, x), dy(gpu, tiles::matrix<float>(12, 128, 4));
  gpu.launch(activations, tg::grid(1), dx.argument(), dy.argument());
  const tiles::matrix<float> y = dy.read();
  tiles::excess excess;
  for (unsigned c = 0; c < 128; ++c) {
    const double v = x(0, c), share = 1 / (1 + std::exp(-v));
    const double cubic = std::sqrt(8 / std::acos(-1.0)) * (v + 0.044715 * v * v * v), curved = v / (1 + std::exp(-cubic));
    const double wanted[] = {std::max(v, 0.0),
                             share,
                             v * share,
                             v / 2 * std::erfc(-v / std::sqrt(2.0)),
                             curved,
                             std::erf(v),
                             share,
                             v * share,
                             curved,
                             v > 0 ? v : v / 4,
                             v * share * (v + 1),
                             v / 2 * std::erfc(-v / std::sqrt(2.0)) * (v + 1)};
    for (unsigned r = 0; r < 12; ++r) excess(y(r, c), wanted[r], 1e-5 * std::abs(wanted[r]));
  }
  CHECK(excess.worst <= 1);
}

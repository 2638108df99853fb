#include <tg/tree/functions.hpp>

#include "../tile/tiles.hpp"

namespace {

using namespace tg::literals;
using view = tg::in2<float, tg::multiple_of<8>>;
using out_view = tg::out2<float, tg::multiple_of<8>>;

template <class F> double check_function(F, double (*host)(double)) {
  constexpr auto kernel = tg::kernel<"function">(tg::block<64>, [](auto block, view x, out_view y) {
    const auto all = tg::sized(x, 16u, 32u);
    tg::tile_at<16, 32>(tg::sized(y, 16u, 32u), 0_c, 0_c) = F{}(tg::load(block, tg::tile_at<16, 32>(all, 0_c, 0_c)));
  });
  tg::device gpu;
  std::mt19937 random(3);
  const tiles::matrix<float> x(16, 32, random);
  tiles::on_device<float> dx(gpu, x), dy(gpu, tiles::matrix<float>(16, 32));
  gpu.launch(kernel, tg::grid(1), dx.argument(), dy.argument());
  const tiles::matrix<float> y = dy.read();
  tiles::excess excess;
  for (unsigned r = 0; r < 16; ++r)
    for (unsigned c = 0; c < 32; ++c) excess(y(r, c), host(x(r, c)), 1e-6 * (std::abs(host(x(r, c))) + 1));
  return excess.worst;
}

}  // namespace

TEST_CASE("functions of elements are those of values") {
  CHECK(check_function([](auto x) { return tg::exp2(x); }, [](double x) { return std::exp2(x); }) <= 1);
  CHECK(check_function([](auto x) { return tg::exp(tg::abs(x)); }, [](double x) { return std::exp(std::abs(x)); }) <= 4);
  CHECK(check_function([](auto x) { return tg::approx::exp2_ftz(x); }, [](double x) { return std::exp2(x); }) <= 1);
  CHECK(check_function([](auto x) { return tg::tanh(x); }, [](double x) { return std::tanh(x); }) <= 1);
  CHECK(check_function([](auto x) { return tg::rsqrt(x * x + 1.0f); }, [](double x) { return 1 / std::sqrt(x * x + 1); }) <= 1);
  CHECK(check_function([](auto x) { return tg::log2(tg::abs(x) + 1.0f); },
                       [](double x) { return std::log2(std::abs(x) + 1); }) <= 1);
  CHECK(check_function([](auto x) { return tg::max(x, 0.0f) + tg::min(x, 1.0f); },
                       [](double x) { return std::max(x, 0.0) + std::min(x, 1.0); }) <= 1);
  CHECK(check_function([](auto x) { return tg::cast<float>(tg::cast<int>(x * 8.0f)); },
                       [](double x) { return std::trunc(x * 8); }) <= 1);
  CHECK(check_function([](auto x) { return tg::sqrt(tg::fma(x, x, 1.0f)); }, [](double x) { return std::sqrt(x * x + 1); }) <=
        1);
}

TEST_CASE("a wrong function is found") {
  CHECK(check_function([](auto x) { return tg::exp2(x); }, [](double x) { return std::exp(x); }) > 1);
}

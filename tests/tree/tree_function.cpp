#include <tg/tree/tree_function.hpp>

#include <doctest/doctest.h>

#include <vector>

#include <tg/array.hpp>
#include <tg/tg.hpp>

using namespace tg::literals;

// A program's own functions of values become functions of trees in the same way.
namespace own {

template <tg::device_value X> auto twice_less_one(const X& x) { return x + x - 1.0f; }
template <class A, class B> requires(tg::device_value<A> && tg::device_value<B>)
auto first_minus_half(const A& a, const B& b) {
  return a - b * 0.5f;
}
TG_TREE_FUNCTION(own, twice_less_one)
TG_TREE_FUNCTION_OF_TWO(own, first_minus_half)

}  // namespace own

TEST_CASE("functions of values become functions of trees, as operands of each other and of operators") {
  tg::device gpu;
  const std::vector<float> a{0.25f, 1, 2, 7.5f}, b{2, -1, 0.5f, 3};
  const tg::array x(gpu, a), y(gpu, b);
  const tg::array<float, 1> z = own::first_minus_half(own::twice_less_one(x + y), y) * 2.0f;
  const auto got = z.to_host();
  for (std::size_t i = 0; i < a.size(); ++i) CHECK(got[i] == (2 * (a[i] + b[i]) - 1 - b[i] / 2) * 2);
}

TEST_CASE("in tiles too") {
  constexpr auto kernel = tg::kernel<"own_functions">(tg::block<64>, [](auto block, tg::in<float> x, tg::out<float> y) {
    const auto own_x = tg::load(block, tg::tile_at<128>(tg::sized(x, 128_c), 0_c));
    tg::tile_at<128>(tg::sized(y, 128_c), 0_c) = own::twice_less_one(own_x);
  });
  tg::device gpu;
  const auto x = gpu.upload(std::vector<float>(128, 3.0f));
  auto y = gpu.zeros<float>(128);
  gpu.launch(kernel, tg::grid(1), x, y);
  CHECK(y.to_host() == std::vector<float>(128, 5.0f));
}

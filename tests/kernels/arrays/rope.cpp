#include <kernels/arrays/rope.hpp>

#include <cmath>

#include "../../tile/tiles.hpp"
#include "../inputs.hpp"
#include "refusals.hpp"

namespace {

using refusals::code_of_error;

template <class T> void check(std::int64_t tokens, std::int64_t heads, std::int64_t size, const tg::rope_options& options) {
  tg::device gpu;
  inputs::generator random;
  INFO("seed ", random.seed, ", tokens ", tokens, ", size ", size);
  std::vector<T> host(static_cast<std::size_t>(2 * tokens * heads * size));
  for (T& x : host) x = static_cast<T>(random.between(-1, 1));
  std::vector<int> positions(static_cast<std::size_t>(tokens));
  for (int& p : positions) p = static_cast<int>(random.engine() % 100000);
  const tg::array<T, 4> x(gpu, {2, tokens, heads, size}, host);
  const auto y = tg::rope(x, tg::array<int, 1>(gpu, positions), options);
  REQUIRE(y.shape() == x.shape());
  const auto found = y.to_host();
  const auto wide = static_cast<std::size_t>(size),
             pairs = options.pairs == 0 ? wide / 2 : static_cast<std::size_t>(options.pairs);
  tiles::excess excess;
  std::size_t moved = 0;
  for (std::size_t first = 0; first < host.size(); first += wide) {
    const std::size_t token = first / wide / static_cast<std::size_t>(heads) % static_cast<std::size_t>(tokens);
    for (std::size_t k = 0; k < pairs; ++k) {
      const double angle = positions[token] * std::pow(options.base, -double(k) / double(pairs));
      const std::size_t u = first + (options.interleaved ? 2 * k : k), v = options.interleaved ? u + 1 : u + pairs;
      const double a = double(host[u]), b = double(host[v]), c = std::cos(angle), s = std::sin(angle);
      const double bound = 0x1p-20 * (std::abs(a) + std::abs(b));
      excess(double(found[u]), a * c - b * s, bound + tiles::unit<T> * std::abs(a * c - b * s));
      excess(double(found[v]), a * s + b * c, bound + tiles::unit<T> * std::abs(a * s + b * c));
    }
    for (std::size_t e = 2 * pairs; e < wide; ++e) moved += double(found[first + e]) != double(host[first + e]);
  }
  CHECK(excess.worst <= 1);
  CHECK(moved == 0);
}

}  // namespace

TEST_CASE("heads turn by their positions") {
  check<float>(1, 1, 2, {});
  check<float>(17, 3, 64, {});
  check<tg::bf16>(9, 2, 70, {.base = 500000, .interleaved = true});
  check<tg::f16>(5, 2, 128, {.pairs = 16});
}

TEST_CASE("positions for each token, from an expression, and no tokens") {
  tg::device gpu;
  inputs::generator random;
  const tg::array<float, 3> x(gpu, {5, 2, 8}, random.floats(80));
  const tg::array<int, 1> zeros(gpu, std::vector<int>(5)), three(gpu, std::vector<int>{3, 4, 5, 6, 7});
  CHECK(tg::rope(x, zeros).to_host() == x.to_host());
  CHECK(tg::rope(x, tg::index_of<0>(zeros) + 3).to_host() == tg::rope(x, three).to_host());
  const tg::array<float, 3> none(gpu, {0, 2, 8});
  CHECK(tg::rope(none, tg::array<int, 1>(gpu, {0})).size() == 0);
}

TEST_CASE("odd heads, too many pairs and positions of other tokens are refused") {
  tg::device gpu;
  const tg::array<float, 3> x(gpu, {5, 2, 8}, std::vector<float>(80)), odd(gpu, {5, 2, 7}, std::vector<float>(70));
  const tg::array<int, 1> five(gpu, std::vector<int>(5)), four(gpu, std::vector<int>(4));
  CHECK(code_of_error([&] { tg::rope(odd, five); }) == 705);
  CHECK(code_of_error([&] { tg::rope(x, five, {.pairs = 5}); }) == 705);
  CHECK(code_of_error([&] { tg::rope(x, four); }) == 700);
}

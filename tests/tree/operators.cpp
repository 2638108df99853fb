#include <tg/tree/operators.hpp>

#include "../tile/tiles.hpp"

namespace {

using namespace tg::literals;
using view = tg::in2<int, tg::multiple_of<8>>;

/// `f` of each pair of elements of two tiles of integers.
template <class F> bool same(F, int (*host)(int, int)) {
  constexpr auto kernel =
      tg::kernel<"operators">(tg::block<64>, [](auto block, view a, view b, tg::out2<int, tg::multiple_of<8>> y) {
        const auto part = [](const auto& v) { return tg::tile_at<8, 64>(tg::sized(v, 8u, 64u), 0_c, 0_c); };
        part(y) = F{}(tg::load(block, part(a)), part(b));
      });
  tg::device gpu;
  std::mt19937 random(19);
  tiles::matrix<int> a(8, 64), b(8, 64);
  for (unsigned r = 0; r < 8; ++r)
    for (unsigned c = 0; c < 64; ++c) a(r, c) = int(random() % 2000) - 1000, b(r, c) = int(random() % 20) + 1;
  tiles::on_device<int> da(gpu, a), db(gpu, b), dy(gpu, tiles::matrix<int>(8, 64));
  gpu.launch(kernel, tg::grid(1), da.argument(), db.argument(), dy.argument());
  tiles::matrix<int> y = dy.read();
  for (unsigned r = 0; r < 8; ++r)
    for (unsigned c = 0; c < 64; ++c)
      if (y(r, c) != host(a(r, c), b(r, c))) return false;
  return true;
}

}  // namespace

TEST_CASE("operators of tiles of integers") {
  CHECK(same([](auto a, auto b) { return a % b + (a & b) - (a | b) * (a ^ b); },
             [](int a, int b) { return a % b + (a & b) - (a | b) * (a ^ b); }));
  CHECK(same([](auto a, auto b) { return (a << 2) + (a >> 1) / b; }, [](int a, int b) { return a * 4 + (a >> 1) / b; }));
  CHECK(same([](auto a, auto b) { return tg::where((a <= b && a != 3) || a >= 100, -a, b); },
             [](int a, int b) { return (a <= b && a != 3) || a >= 100 ? -a : b; }));
  CHECK(same([](auto a, auto b) { return tg::where((a > 0) == (b > 10), 1, 2) + tg::where((a > 5) != (b > 5), 4, 8); },
             [](int a, int b) { return ((a > 0) == (b > 10) ? 1 : 2) + ((a > 5) != (b > 5) ? 4 : 8); }));
  CHECK(same([](auto a, auto b) { return tg::where(!(a == b), 1, 2) + tg::where(a > b, 4, 8); },
             [](int a, int b) { return (a != b ? 1 : 2) + (a > b ? 4 : 8); }));
  CHECK(!same([](auto a, auto b) { return a + b; }, [](int a, int b) { return a - b; }));
}

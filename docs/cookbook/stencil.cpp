// Five-point stencil with a halo in shared memory
//
// A block of 32 x 8 threads computes 32 x 8 points and needs a border of one around them. The threads load the 34 x 10 points
// together, in a loop over the block's threads; points outside of the plate are clamped to its edge.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include <tg/tg.hpp>

using namespace tg::literals;

inline constexpr auto stencil = tg::kernel<"stencil">(
    tg::block<32, 8>, [](auto block, tg::in2<float> x, tg::out2<float> y, tg::scalar<int> rows, tg::scalar<int> columns) {
      auto tile = tg::shared<float>(tg::shape<10, 34>);
      const auto top = tg::let(tg::cast<int>(block.index.y) * 8 - 1), left = tg::let(tg::cast<int>(block.index.x) * 32 - 1);
      const auto clamp = [](const auto& v, const auto& n) { return tg::min(tg::max(v, 0), n - 1); };
      const auto tx = block.thread.x;
      const auto ty = block.thread.y;
      tg::for_(tg::range(ty, 10u, 8_c), [&](auto r) {
        tg::for_(tg::range(tx, 34u, 32_c),
                 [&](auto c) { tile(r, c) = x(clamp(top + tg::cast<int>(r), rows), clamp(left + tg::cast<int>(c), columns)); });
      });
      block.sync();
      const auto i = tg::let(tg::cast<int>(block.global.y));
      const auto j = tg::let(tg::cast<int>(block.global.x));
      tg::if_(i < rows && j < columns, [&] {
        const auto around = tile(ty, tx + 1u) + tile(ty + 2u, tx + 1u) + tile(ty + 1u, tx) + tile(ty + 1u, tx + 2u);
        y(i, j) = 0.5f * tile(ty + 1u, tx + 1u) + 0.125f * around;
      });
    });

int main() {
  const int rows = 50, columns = 71;
  std::vector<float> hx(rows * columns);
  for (std::size_t k = 0; k < hx.size(); ++k) hx[k] = std::sin(0.1f * float(k));
  tg::device gpu;
  const auto x = gpu.upload(hx);
  auto y = gpu.zeros<float>(hx.size());
  gpu.launch(stencil, tg::cover(columns, rows), tg::matrix(x, rows, columns), tg::matrix(y, rows, columns), rows, columns);

  const auto at = [&](int r, int c) {
    return double(hx[std::size_t(std::clamp(r, 0, rows - 1) * columns + std::clamp(c, 0, columns - 1))]);
  };
  const auto out = y.to_host();
  double worst = 0;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      const double wanted = 0.5 * at(r, c) + 0.125 * (at(r - 1, c) + at(r + 1, c) + at(r, c - 1) + at(r, c + 1));
      worst = std::fmax(worst, std::fabs(double(out[std::size_t(r * columns + c)]) - wanted));
    }
  std::printf("largest error %.1e\n", worst);
  return worst < 1e-6 ? 0 : 1;
}

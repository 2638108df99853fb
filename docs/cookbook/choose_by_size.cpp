// One kernel text, several sizes, chosen at launch
//
// Extents of tiles are part of the type. A template makes a kernel for each; the host takes the smallest that fits. Each is
// compiled by the driver only if it is launched. `tg::variants` and `tg::choose_arch` choose by architecture in the same way.
#include <cmath>
#include <cstdio>
#include <vector>

#include <tg/tg.hpp>

using namespace tg::literals;

template <int Most>
inline constexpr auto normalise = tg::kernel<"normalise">(
    tg::block<128>, [](auto block, tg::in2<float, tg::multiple_of<4>> x, tg::out2<float, tg::multiple_of<4>> y,
                       tg::scalar<unsigned> rows, tg::scalar<unsigned, tg::at_most<Most>> columns) {
      const auto row_of = [&](const auto& v) { return tg::tile_at<1, Most>(tg::sized(v, rows, columns), block.index.x, 0_c); };
      const auto own = tg::eval(tg::load(block, row_of(x)));
      row_of(y) = own * tg::rsqrt(tg::row_sum(own * own));
    });

void launch(tg::device& gpu, const tg::buffer<float>& x, tg::buffer<float>& y, unsigned rows, unsigned columns) {
  const auto with = [&](const auto& kernel) {
    gpu.launch(kernel, tg::grid(rows), tg::matrix(x, rows, columns), tg::matrix(y, rows, columns), rows, columns);
  };
  if (columns <= 256) with(normalise<256>);
  else if (columns <= 1024) with(normalise<1024>);
  else with(normalise<4096>);  // more than 4096 is refused: TG526
}

int main() {
  tg::device gpu;
  double worst = 0;
  for (const unsigned columns : {100u, 1000u, 3000u}) {
    const unsigned rows = 3;
    std::vector<float> hx(rows * columns);
    for (unsigned k = 0; k < hx.size(); ++k) hx[k] = std::sin(float(k));
    const auto x = gpu.upload(hx);
    auto y = gpu.zeros<float>(hx.size());
    launch(gpu, x, y, rows, columns);
    const auto out = y.to_host();
    for (unsigned r = 0; r < rows; ++r) {
      double squares = 0;
      for (unsigned c = 0; c < columns; ++c) squares += double(out[r * columns + c]) * double(out[r * columns + c]);
      worst = std::fmax(worst, std::fabs(squares - 1));
    }
  }
  std::printf("three sizes, squares add up to 1 within %.0e\n", worst);
  return worst < 1e-5 ? 0 : 1;
}

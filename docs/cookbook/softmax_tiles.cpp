// Softmax of rows, in tiles
//
// A block holds a row of up to 1024 numbers in registers, so that memory is read once and written once. Columns beyond the
// end are read as zero; `where` turns them into -infinity so that they do not count.
#include <cmath>
#include <cstdio>
#include <vector>

#include <tg/tg.hpp>

using namespace tg::literals;

inline constexpr auto softmax = tg::kernel<"softmax">(
    tg::block<128>, [](auto block, tg::in2<float, tg::multiple_of<4>> x, tg::out2<float, tg::multiple_of<4>> y,
                       tg::scalar<unsigned> rows, tg::scalar<unsigned, tg::at_most<1024>> columns) {
      const auto row_of = [&](const auto& view) {
        return tg::tile_at<1, 1024>(tg::sized(view, rows, columns), block.index.x, 0_c);
      };
      const auto own = tg::load(block, row_of(x));
      const auto score = tg::eval(tg::where(tg::columns_of(own, 0) < columns, own, -INFINITY));
      const auto weight = tg::eval(tg::exp(score - tg::row_max(score)));
      row_of(y) = weight / tg::row_sum(weight);
    });

int main() {
  const unsigned rows = 7, columns = 1000;
  std::vector<float> hx(rows * columns);
  for (unsigned k = 0; k < hx.size(); ++k) hx[k] = std::sin(0.1f * float(k)) * 5;

  tg::device gpu;
  const auto x = gpu.upload(hx);
  auto y = gpu.zeros<float>(hx.size());
  gpu.launch(softmax, tg::grid(rows), tg::matrix(x, rows, columns), tg::matrix(y, rows, columns), rows, columns);

  const auto out = y.to_host();
  double worst = 0;
  for (unsigned r = 0; r < rows; ++r) {
    double sum = 0;
    for (unsigned c = 0; c < columns; ++c) sum += std::exp(double(hx[r * columns + c]));
    for (unsigned c = 0; c < columns; ++c)
      worst = std::fmax(worst, std::fabs(double(out[r * columns + c]) * sum / std::exp(double(hx[r * columns + c])) - 1));
  }
  std::printf("largest relative error %.1e\n", worst);
  return worst < 1e-5 ? 0 : 1;
}

// A sparse matrix times a vector (CSR)
//
// A warp computes a row: its lanes read neighbouring entries, so that values and columns are coalesced. The elements of x are
// at places that come from data: `tg::gather`. The row's bounds are the same for all lanes of the warp, which is said by
// `tg::assume_warp_uniform`; the emulator checks it.
#include <cmath>
#include <cstdio>
#include <vector>

#include <tg/tg.hpp>

using namespace tg::literals;

inline constexpr auto spmv =
    tg::kernel<"spmv">(tg::block<128>, [](auto block, tg::in<unsigned> begin, tg::in<unsigned> column, tg::in<float> value,
                                          tg::in<float> x, tg::out<float> y, tg::scalar<unsigned> rows) {
      const auto warp = block.warp();
      const auto row = tg::let(block.index.x * 4_c + warp.index);
      tg::var<float> sum = 0.0f;
      tg::if_(row < rows, [&] {
        const auto first = tg::assume_warp_uniform(begin(row)), last = tg::assume_warp_uniform(begin(row + 1u));
        tg::for_(tg::range(first + warp.lane, last, 32_c), [&](auto k) { sum += value(k) * x(tg::gather(column(k))); });
      });
      const auto all = tg::let(warp.sum(sum));
      tg::if_(row < rows && warp.lane == 0u, [&] { y(row) = all; });
    });

int main() {
  const unsigned rows = 201;
  std::vector<unsigned> begin{0}, column;
  std::vector<float> value, hx(rows);
  for (unsigned r = 0; r < rows; ++r) {
    hx[r] = std::sin(float(r));
    for (unsigned k = 0; k < r % 70; ++k) column.push_back((r * 7 + k * k) % rows), value.push_back(0.1f * float(k + 1));
    begin.push_back(unsigned(column.size()));
  }

  tg::device gpu;
  const auto b = gpu.upload(begin), c = gpu.upload(column);
  const auto v = gpu.upload(value), x = gpu.upload(hx);
  auto y = gpu.zeros<float>(rows);
  gpu.launch(spmv, tg::grid((rows + 3) / 4), b, c, v, x, y, rows);

  const auto out = y.to_host();
  double worst = 0;
  for (unsigned r = 0; r < rows; ++r) {
    double sum = 0;
    for (unsigned k = begin[r]; k < begin[r + 1]; ++k) sum += double(value[k]) * double(hx[column[k]]);
    worst = std::fmax(worst, std::fabs(double(out[r]) - sum));
  }
  std::printf("%zu entries, largest error %.1e\n", value.size(), worst);
  return worst < 1e-3 ? 0 : 1;
}

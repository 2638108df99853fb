// A sparse matrix in rows (CSR) times a vector, one warp per row.
#include "checked.hpp"

#include <cmath>

using namespace tg::literals;
using everyday::checked_device;
using everyday::random_numbers;

namespace {

inline constexpr auto spmv = tg::kernel<"csr_spmv">(
    tg::block<128>, [](auto block, tg::in<unsigned> row_begin, tg::in<unsigned> column, tg::in<float> value, tg::in<float> x,
                       tg::out<float> y, tg::scalar<unsigned> rows) {
      const auto warp = block.warp();
      const auto row = tg::let(block.index.x * 4_c + warp.index);
      tg::if_(row < rows, [&] {
        tg::var<float> sum = 0.0f;
        tg::for_(tg::range(row_begin(row) + warp.lane, row_begin(row + 1u), 32u),
                 [&](auto j) { sum += value(j) * x(tg::gather(column(j))); });
        const auto total = warp.sum(sum);
        tg::if_(warp.lane == 0u, [&] { y(row) = total; });
      });
    });

}  // namespace

TEST_CASE("a sparse matrix times a vector") {
  for (const unsigned rows : {1u, 3u, 4u, 5u, 101u}) {
    CAPTURE(rows);
    checked_device on;
    std::mt19937 random(rows);
    std::vector<unsigned> begin{0}, column;
    const unsigned columns = 2 * rows + 7;
    for (unsigned r = 0; r < rows; ++r) {
      for (unsigned c = static_cast<unsigned>(random() % 3); c < columns; c += 1 + static_cast<unsigned>(random() % 5))
        column.push_back(c);
      if (r % 7 == 3) column.resize(begin.back());  // an empty row
      begin.push_back(static_cast<unsigned>(column.size()));
    }
    if (column.empty()) column.push_back(0);
    const auto hv = random_numbers(column.size(), -1, 1, 1), hx = random_numbers(columns, -1, 1, 2);
    const auto b = on.gpu.upload(begin), c = on.gpu.upload(column);
    const auto v = on.gpu.upload(hv), x = on.gpu.upload(hx);
    auto y = on.gpu.upload(std::vector<float>(rows, NAN));
    on.gpu.launch(spmv, tg::grid((rows + 3) / 4), b, c, v, x, y, rows);
    const auto out = y.to_host();
    for (unsigned r = 0; r < rows; ++r) {
      double sum = 0;
      for (unsigned j = begin[r]; j < begin[r + 1]; ++j) sum += double(hv[j]) * hx[column[j]];
      CHECK(out[r] == doctest::Approx(sum).epsilon(1e-5));
    }
  }
}

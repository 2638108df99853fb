// Cross-entropy over rows of 150,000 logits: one block a row, the maximum and the sum of exponentials in one pass.
#include "checked.hpp"

#include <cmath>

using namespace tg::literals;
using everyday::checked_device;
using everyday::random_numbers;
using everyday::random_words;

namespace {

template <class T>
inline constexpr auto cross_entropy =
    tg::kernel<"cross_entropy">(tg::block<256>, [](auto block, tg::in2<T> logits, tg::in<unsigned> target, tg::out<float> loss,
                                                   tg::scalar<unsigned> columns, tg::scalar<unsigned> first) {
      const auto row = tg::let(first + block.index.x);
      tg::var<float> peak = std::numeric_limits<float>::lowest(), sum = 0.0f;
      tg::for_(tg::range(block.thread.x, columns, 256_c), [&](auto j) {
        const auto x = tg::cast<float>(logits(row, j));
        const auto above = tg::let(tg::max(peak, x));
        sum = sum * tg::exp(peak - above) + tg::exp(x - above);
        peak = above;
      });
      const auto top = tg::let(tg::block_max(block, peak));
      const auto total = tg::block_sum(block, sum * tg::exp(peak - top));
      tg::if_(block.thread.x == 0u,
              [&] { loss(row) = tg::log(total) + top - tg::cast<float>(logits(row, tg::gather(target(row)))); });
    });

double expected(const float* x, std::size_t n, std::size_t target) {
  double peak = -INFINITY, sum = 0;
  for (std::size_t i = 0; i < n; ++i) peak = std::max(peak, double(x[i]));
  for (std::size_t i = 0; i < n; ++i) sum += std::exp(x[i] - peak);
  return std::log(sum) + peak - x[target];
}

}  // namespace

TEST_CASE("cross-entropy of rows of every length") {
  for (const std::size_t columns : {1u, 255u, 256u, 257u, 512u, 1009u, 150000u}) {
    CAPTURE(columns);
    const std::size_t rows = columns > 100000 ? 2 : 5;
    checked_device on;
    const auto h = random_numbers(rows * columns, -8, 8, 3);
    const auto targets = random_words(rows, static_cast<unsigned>(columns), 4);
    const auto logits = on.gpu.upload(h);
    const auto target = on.gpu.upload(targets);
    auto loss = on.gpu.upload(std::vector<float>(rows, NAN));
    on.gpu.launch(cross_entropy<float>, tg::grid(rows), tg::matrix(logits, rows, columns), target, loss, columns, 0);
    const auto out = loss.to_host();
    for (std::size_t r = 0; r < rows; ++r)
      CHECK(out[r] == doctest::Approx(expected(&h[r * columns], columns, targets[r])).epsilon(1e-5));
  }
}

TEST_CASE("cross-entropy of the last rows of more than 2^32 halves") {
  constexpr std::size_t columns = 150000, rows = 28637, last = 2;
  static_assert((rows - last) * columns > (std::size_t{1} << 32));
  checked_device on;
  const auto h = random_numbers<tg::f16>(last * columns, -8, 8, 3);
  const std::vector<float> wide(h.begin(), h.end());
  auto targets = std::vector<unsigned>(rows, 0u);
  for (std::size_t r = 0; r < last; ++r) targets[rows - last + r] = static_cast<unsigned>(columns - 1 - 7 * r);
  // Only the rows at the end have memory behind them, and numbers: a row that wraps around reads what nobody wrote.
  auto logits = on.gpu.allocate<tg::f16>(rows * columns);
  logits.copy_from(h, (rows - last) * columns);
  const auto target = on.gpu.upload(targets);
  auto loss = on.gpu.upload(std::vector<float>(rows, NAN));
  on.gpu.launch(cross_entropy<tg::f16>, tg::grid(last), tg::matrix(logits, rows, columns), target, loss, columns, rows - last);
  const auto out = loss.to_host();
  for (std::size_t r = 0; r < last; ++r)
    CHECK(out[rows - last + r] ==
          doctest::Approx(expected(&wide[r * columns], columns, targets[rows - last + r])).epsilon(1e-5));
}

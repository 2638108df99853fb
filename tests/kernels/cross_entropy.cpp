#include <kernels/cross_entropy.hpp>

#include "../random_seed.hpp"
#include "../tile/tiles.hpp"

namespace {

template <class T> void check_cross_entropy(unsigned rows, unsigned columns) {
  tg::device gpu;
  std::mt19937 random(random_seed());
  const tiles::matrix<T> x(rows, columns, random);
  std::vector<unsigned> targets;
  for (unsigned r = 0; r < rows; ++r) targets.push_back(r == 1 ? columns : static_cast<unsigned>(random() % columns));
  tiles::on_device<T> dx(gpu, x), d_gradient(gpu, tiles::matrix<T>(rows, columns));
  auto d_targets = gpu.upload(targets);
  tiles::on_device<float> d_loss(gpu, tiles::matrix<float>(1, rows, 1)), d_log_sums(gpu, tiles::matrix<float>(1, rows, 1));
  gpu.launch(tg::kernels::cross_entropy<T>, tg::grid(rows), dx.argument(), d_targets, d_loss.memory, d_log_sums.memory, rows,
             columns);
  gpu.launch(tg::kernels::cross_entropy_backward<T>, tg::kernels::cross_entropy_grid(rows, columns), dx.argument(), d_targets,
             d_log_sums.memory, d_gradient.argument(), rows, columns, 0.25f);
  const tiles::matrix<T> gradient = d_gradient.read();
  const tiles::matrix<float> loss = d_loss.read(), log_sums = d_log_sums.read();
  tiles::excess excess;
  for (unsigned r = 0; r < rows; ++r) {
    double largest = std::numeric_limits<float>::lowest(), sum = 0;
    for (unsigned c = 0; c < columns; ++c) largest = std::max(largest, x(r, c));
    for (unsigned c = 0; c < columns; ++c) sum += std::exp(x(r, c) - largest);
    const double log_sum = largest + std::log(sum);
    const bool counts = targets[r] < columns;
    const double wanted = counts ? log_sum - x(r, targets[r]) : 0;
    excess(log_sums(0, r), log_sum, 1e-5 * (1 + std::abs(log_sum)));
    excess(loss(0, r), wanted, 1e-5 * (1 + std::abs(log_sum) + std::abs(wanted)));
    for (unsigned c = 0; c < columns; ++c) {
      const double share = std::exp(x(r, c) - log_sum);
      const double slope = counts ? 0.25 * (share - (c == targets[r])) : 0;
      excess(gradient(r, c), slope, 0x1p-8 * std::abs(slope) + 1e-5 * share + 1e-6 * (c == targets[r]));
    }
  }
  CAPTURE(rows);
  CAPTURE(columns);
  CHECK(excess.worst <= 1);
}

}  // namespace

TEST_CASE("cross entropy and its gradient for any vocabulary, targets that count for nothing among them") {
  for (const unsigned columns : {1u, 2047u, 2048u, 2049u, 4096u, 5003u}) check_cross_entropy<tg::bf16>(3, columns);
}

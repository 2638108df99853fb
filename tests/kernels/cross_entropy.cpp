#include <kernels/cross_entropy.hpp>

#include <kernels/reference/cross_entropy.hpp>

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
  const auto wanted = tg::kernels::reference::cross_entropy<T>(rows, columns, x, [&](unsigned r) { return targets[r]; }, 0.25);
  for (unsigned r = 0; r < rows; ++r) {
    excess(log_sums(0, r), wanted.log_sums.value[r], wanted.log_sums.bound[r]);
    excess(loss(0, r), wanted.loss.value[r], wanted.loss.bound[r]);
    for (unsigned c = 0; c < columns; ++c) {
      const std::size_t i = std::size_t{r} * columns + c;
      excess(gradient(r, c), wanted.gradient.value[i], wanted.gradient.bound[i]);
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

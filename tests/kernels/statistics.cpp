#include <kernels/statistics.hpp>

#include "inputs.hpp"

using namespace tg::kernels;

namespace {

constexpr unsigned sizes[] = {1, 3, 4, 5, 255, 256, 257, 1023, 1024, 1025, 2048, 10007};

/// Roundings on the way of an element: a thread's additions, the block's, and those of the last block.
double steps(unsigned n, unsigned blocks) { return n / (256.0 * blocks) + 16 + blocks / 256.0 + 16; }

}  // namespace

TEST_CASE("dot product and norm in one launch; the ticket is ready for the next") {
  tg::device gpu;
  inputs::generator random;
  auto ticket = gpu.zeros<unsigned>(1);
  for (const unsigned n : sizes)
    for (const unsigned blocks : {1u, 2u, 7u}) {
      INFO("seed ", random.seed, ", n ", n, ", blocks ", blocks);
      const auto x = random.floats(n), y = random.floats(n);
      double product = 0, size = 0, squares = 0;
      for (unsigned i = 0; i < n; ++i) {
        product += double{x[i]} * y[i];
        size += std::abs(double{x[i]} * y[i]);
        squares += double{x[i]} * x[i];
      }
      auto on_x = gpu.upload(x), on_y = gpu.upload(y);
      auto partial = gpu.upload(std::vector<float>(blocks, inputs::poison<float>()));
      auto result = gpu.upload(std::vector<float>(2, inputs::poison<float>()));
      gpu.launch(dot, tg::grid(blocks), on_x, on_y, result, partial, ticket, n);
      const double bound = steps(n, blocks) * inputs::unit_roundoff;
      CHECK(std::abs(result.to_host()[0] - product) <= bound * size);
      gpu.launch(norm, tg::grid(blocks), on_x, result, partial, ticket, n);
      CHECK(std::abs(result.to_host()[0] - std::sqrt(squares)) <= bound * std::sqrt(squares));
      CHECK(std::isnan(result.to_host()[1]));
      CHECK(ticket.to_host()[0] == 0);
    }
}

TEST_CASE("mean and variance of rows, also where the mean is large") {
  tg::device gpu;
  inputs::generator random;
  const unsigned rows = 3;
  for (const unsigned columns : sizes)
    for (const float level : {0.0f, 1000.0f}) {
      INFO("seed ", random.seed, ", columns ", columns, ", level ", level);
      const auto x = random.floats(std::size_t{rows} * columns, level - 1, level + 1);
      inputs::rows<float> on_x(gpu, x, rows, columns, columns + 1);
      auto mean = gpu.upload(std::vector<float>(rows, inputs::poison<float>())), variance = gpu.upload(mean.to_host());
      gpu.launch(row_mean_and_variance, tg::grid(rows), on_x.matrix(), mean, variance, columns);
      const auto means = mean.to_host(), variances = variance.to_host();
      for (unsigned r = 0; r < rows; ++r) {
        double sum = 0, size = 0, squares = 0;
        for (unsigned j = 0; j < columns; ++j) sum += x[r * columns + j], size += std::abs(x[r * columns + j]);
        const double middle = sum / columns;
        for (unsigned j = 0; j < columns; ++j) squares += (x[r * columns + j] - middle) * (x[r * columns + j] - middle);
        const double off = steps(columns, 1) * inputs::unit_roundoff * size / columns;
        CHECK(std::abs(means[r] - middle) <= off);
        // A mean that is off by d makes the variance larger by d * d; each distance is rounded once.
        CHECK(std::abs(variances[r] - squares / columns) <=
              off * off + 2 * (steps(columns, 1) + 2) * inputs::unit_roundoff * squares / columns + 1e-12);
      }
    }
}

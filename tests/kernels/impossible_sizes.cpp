// Launches whose sizes no kernel of rows can take are refused, and those at the limits are right.
#include <kernels/cross_entropy.hpp>
#include <kernels/layer_norm.hpp>
#include <kernels/softmax_tiles.hpp>

#include "../tile/tiles.hpp"

namespace {

using T = tg::bf16;

/// The code of the error that `launch` ends with; 0 where it does not.
template <class Launch> int refused(Launch launch) {
  try {
    launch();
  } catch (const tg::error& e) { return e.number(); }
  return 0;
}

struct rows_of_numbers {
  tg::device gpu{"emulator"};
  std::mt19937 random{37};
  tiles::on_device<T> x{gpu, tiles::matrix<T>(2, 600, random)}, y{gpu, tiles::matrix<T>(2, 600)},
      sum{gpu, tiles::matrix<T>(2, 600)};
  tg::buffer<T> gamma = gpu.upload(std::vector<T>(600, T(1.0f))), beta = gpu.upload(std::vector<T>(600, T(0.0f)));

  int norm(unsigned rows, unsigned columns) {
    return refused([&] {
      gpu.launch(tg::kernels::layer_norm<T, 512>, tg::grid(rows), x.argument(), gamma, beta, y.argument(), rows, columns,
                 1e-5f);
    });
  }
  int residual_norm(unsigned rows, unsigned columns) {
    return refused([&] {
      gpu.launch(tg::kernels::residual_rms_norm<T, 512>, tg::grid(rows), x.argument(), x.argument(), gamma, sum.argument(),
                 y.argument(), rows, columns, 1e-5f);
    });
  }
  int softmax(unsigned rows, unsigned columns) {
    return refused(
        [&] { gpu.launch(tg::kernels::softmax_tiles<T, 512>, tg::grid(rows), x.argument(), y.argument(), rows, columns); });
  }
  int entropy(unsigned rows, unsigned columns) {
    auto targets = gpu.upload(std::vector<unsigned>(2, 0u));
    auto loss = gpu.upload(std::vector<float>(2)), sums = gpu.upload(std::vector<float>(2));
    return refused(
        [&] { gpu.launch(tg::kernels::cross_entropy<T>, tg::grid(rows), x.argument(), targets, loss, sums, rows, columns); });
  }
};

}  // namespace

TEST_CASE("more columns than a row in registers has room for are refused, as many are not") {
  rows_of_numbers all;
  CHECK(all.norm(2, 512) == 0);
  CHECK(all.norm(2, 513) == 526);
  CHECK(all.residual_norm(2, 512) == 0);
  CHECK(all.residual_norm(2, 600) == 526);
  CHECK(all.softmax(2, 512) == 0);
  CHECK(all.softmax(2, 513) == 526);
  CHECK(all.entropy(2, 600) == 0);
}

TEST_CASE("no rows are refused, one column is not") {
  rows_of_numbers all;
  CHECK(all.norm(0, 8) == 521);
  CHECK(all.residual_norm(0, 8) == 521);
  CHECK(all.softmax(0, 8) == 521);
  CHECK(all.entropy(0, 8) == 521);
  CHECK(all.norm(2, 1) == 0);
  CHECK(all.residual_norm(2, 1) == 0);
  CHECK(all.entropy(2, 1) == 0);
  CHECK(all.softmax(2, 1) == 0);
  CHECK(static_cast<float>(all.y.read().elements[0]) == 1.0f);
}

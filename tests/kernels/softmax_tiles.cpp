#include <kernels/softmax_tiles.hpp>

#include "../random_seed.hpp"
#include "../tile/tiles.hpp"

namespace {

template <class T, int Most> void check_softmax(unsigned rows, unsigned columns, bool has_infinities) {
  tg::device gpu;
  std::mt19937 random(random_seed());
  tiles::matrix<T> x(rows, columns, random);
  if (has_infinities)
    for (unsigned r = 0; r < rows; ++r)
      for (unsigned c = r; c < columns; ++c) x(r, c) = T(-std::numeric_limits<float>::infinity());
  tiles::on_device<T> dx(gpu, x), dy(gpu, tiles::matrix<T>(rows, columns));
  gpu.launch(tg::kernels::softmax_tiles<T, Most>, tg::grid(rows), dx.argument(), dy.argument(), rows, columns);
  const tiles::matrix<T> y = dy.read(), exact = x;
  tiles::excess excess;
  for (unsigned r = 0; r < rows; ++r) {
    double largest = std::numeric_limits<float>::lowest(), sum = 0;
    for (unsigned c = 0; c < columns; ++c) largest = std::max(largest, exact(r, c));
    for (unsigned c = 0; c < columns; ++c) sum += std::exp(exact(r, c) - largest);
    for (unsigned c = 0; c < columns; ++c) {
      const double wanted = sum == 0 ? 0 : std::exp(exact(r, c) - largest) / sum;
      excess(y(r, c), wanted, (0x1p-8 + 4e-6) * wanted);
    }
  }
  CAPTURE(rows);
  CAPTURE(columns);
  CHECK(excess.worst <= 1);
}

}  // namespace

TEST_CASE("softmax of rows of any length") {
  for (const unsigned columns : {1u, 7u, 255u, 1021u, 1023u, 1024u}) check_softmax<tg::bf16, 1024>(3, columns, false);
}
TEST_CASE("minus infinities weigh nothing, and a row of them gives zeros") { check_softmax<tg::bf16, 1024>(3, 257, true); }

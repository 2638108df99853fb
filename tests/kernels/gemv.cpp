#include <kernels/gemv.hpp>

#include "inputs.hpp"

using namespace tg::kernels;

namespace {

template <class T> std::vector<T> numbers(inputs::generator& random, std::size_t count) {
  std::vector<T> out;
  for (const float x : random.floats(count)) out.push_back(T(x));
  return out;
}

/// The rounding of a sum, and of T.
template <class T> constexpr double sum_unit = std::is_same_v<T, double> ? 0x1p-53 : 0x1p-24;
template <class T>
constexpr double own_unit = std::is_same_v<T, tg::bf16>  ? 0x1p-8
                            : std::is_same_v<T, tg::f16> ? 0x1p-11
                                                         : sum_unit<T>;

/// Operands of a product of each kind, and what it must give: `sum` steps of rounding along `length` terms.
template <class T> struct problem {
  unsigned rows, columns, batch;
  bool is_transposed;
  gemv_sum<T> alpha, beta;
  std::vector<T> a, x, y;

  problem(inputs::generator& random, unsigned rows, unsigned columns, unsigned batch, bool is_transposed, float beta)
      : rows(rows), columns(columns), batch(batch), is_transposed(is_transposed), alpha(random.between(-2, 2)), beta(beta) {
    a = numbers<T>(random, std::size_t{batch} * rows * columns);
    x = numbers<T>(random, std::size_t{batch} * length());
    y = numbers<T>(random, std::size_t{batch} * results());
    if (beta == 0) y.assign(y.size(), inputs::poison<T>());
  }

  unsigned length() const { return is_transposed ? rows : columns; }
  unsigned results() const { return is_transposed ? columns : rows; }

  void check(const std::vector<T>& found, double steps) const {
    std::vector<double> wanted(y.size()), allowed(y.size());
    for (unsigned b = 0; b < batch; ++b)
      for (unsigned i = 0; i < results(); ++i) {
        double sum = 0, size = 0;
        for (unsigned k = 0; k < length(); ++k) {
          const std::size_t r = is_transposed ? k : i, c = is_transposed ? i : k;
          const double term = double(a[(std::size_t{b} * rows + r) * columns + c]) * double(x[std::size_t{b} * length() + k]);
          sum += term, size += std::abs(term);
        }
        const std::size_t at = std::size_t{b} * results() + i;
        const double old = beta == 0 ? 0 : double{beta} * double(y[at]);
        wanted[at] = double{alpha} * sum + old;
        const double off = sum_unit<T> * (steps + 1) * std::abs(double{alpha}) * size + 2 * sum_unit<T> * std::abs(old);
        // Halves below 2^-14 are 2^-24 apart. The judge adds in double too.
        allowed[at] = off * (std::is_same_v<T, double> ? 2 : 1) * 1.01 + own_unit<T> * 1.01 * std::abs(wanted[at]) +
                      (sizeof(T) == 2 ? 0x1p-25 : 0);
        if (std::is_same_v<T, double>) allowed[at] += length() * 0x1p-53 * size * std::abs(double{alpha});
      }
    CHECK(inputs::largest_excess<T>(found, wanted, [&](std::size_t i) { return allowed[i]; }) <= 0);
  }
};

unsigned padded(unsigned columns, unsigned step) { return (columns + step - 1) / step * step + step; }

template <class T, unsigned Lanes> void check_rows(std::initializer_list<unsigned> all_columns) {
  tg::device gpu;
  inputs::generator random;
  for (const unsigned rows : {1u, gemv_rows<Lanes>, gemv_rows<Lanes> + 1})
    for (const unsigned columns : all_columns) {
      const unsigned batch = rows == 1 ? 1 : 3;
      INFO("seed ", random.seed, ", rows ", rows, ", columns ", columns, ", lanes ", Lanes);
      const problem<T> p(random, rows, columns, batch, false, rows % 2 == 0 ? 0.0f : 0.5f);
      const unsigned step = gemv_step<T>, leading = padded(columns, step);
      inputs::rows<T> a(gpu, p.a, batch * rows, columns, leading), x(gpu, p.x, batch, columns, leading);
      inputs::rows<T> y(gpu, p.y, batch, rows, rows + 1);
      gpu.launch(gemv<T, Lanes>, gemv_grid<Lanes>(rows, batch), a.matrix(), x.matrix(), y.matrix(), p.alpha, p.beta, rows,
                 columns);
      // Each lane adds its terms one by one, then all lanes in a tree.
      p.check(y.to_host(), (columns / (step * Lanes) + 1) * step + 2 + 8);
    }
}

template <class T> void check_columns(std::initializer_list<unsigned> all_rows) {
  tg::device gpu;
  inputs::generator random;
  const unsigned width = gemv_columns<T>;
  for (const unsigned columns : {1u, width - 1, width, width + 1, 2 * width + 3})
    for (const unsigned rows : all_rows)
      for (const unsigned parts : {1u, 5u}) {
        const unsigned batch = columns == 1 ? 1 : 2;
        INFO("seed ", random.seed, ", rows ", rows, ", columns ", columns, ", parts ", parts);
        const problem<T> p(random, rows, columns, batch, true, parts == 1 ? 0.0f : -1.5f);
        inputs::rows<T> a(gpu, p.a, std::size_t{batch} * rows, columns, padded(columns, gemv_step<T>));
        inputs::rows<T> x(gpu, p.x, batch, rows, rows + 3), y(gpu, p.y, batch, columns, columns + 1);
        inputs::rows<gemv_sum<T>> partial(gpu, std::size_t{batch} * parts, columns, columns + 2);
        auto tickets = gpu.zeros<unsigned>(gemv_tickets<T>(columns, batch));
        const auto launch = [&] {
          gpu.launch(gemv_transposed<T>, gemv_transposed_grid<T>(columns, parts, batch), a.matrix(), x.matrix(), y.matrix(),
                     partial.matrix(), tickets, p.alpha, p.beta, rows, columns);
        };
        launch();
        // A thread's rows, of which there are twice as many at an edge of halves, lanes, eight warps, all parts.
        p.check(y.to_host(), (rows + parts - 1) / parts / 16 + 1 + 2 + 8 + parts);
        for (const unsigned ticket : tickets.to_host()) CHECK(ticket == 0);
        if (p.beta == 0) {
          const auto first = y.to_host();
          launch();
          const auto second = y.to_host();
          CHECK(std::memcmp(first.data(), second.data(), first.size() * sizeof(T)) == 0);
        }
      }
}

}  // namespace

TEST_CASE("rows of a matrix times a vector, by some lanes, a warp, and a block") {
  check_rows<float, 32>({1, 3, 4, 127, 128, 129, 1021});
  check_rows<float, 8>({1, 31, 32, 33, 97});
  check_rows<float, 256>({1, 1023, 1024, 1025, 5003});
  check_rows<double, 32>({1, 63, 64, 65, 509});
  check_rows<tg::f16, 32>({7, 255, 256, 257, 1021});
  check_rows<tg::bf16, 16>({8, 127, 128, 129, 331});
}

TEST_CASE("columns of a matrix times a vector, rows in parts; tickets are ready for the next launch") {
  check_columns<float>({1, 31, 32, 33, 331});
  check_columns<double>({1, 33, 127});
  check_columns<tg::f16>({1, 32, 131});
  check_columns<tg::bf16>({33, 64});
}

TEST_CASE("parts fill the multiprocessors and keep 128 rows") {
  static_assert(gemv_parts<float>(1 << 20, 32, 100) == 800);
  static_assert(gemv_parts<float>(1 << 20, 1024, 100) == 25);
  static_assert(gemv_parts<float>(100, 32, 100) == 1);
  static_assert(gemv_parts<float>(512, 32, 100) == 4);
  CHECK(gemv_parts<float>(1 << 20, 1 << 20, 100) == 1);
}

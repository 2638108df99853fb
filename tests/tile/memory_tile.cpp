#include <tg/tile/memory_tile.hpp>

#include <tg/dsl/proof/analyze.hpp>
#include <tg/tile/reduce.hpp>

#include "tiles.hpp"

namespace {

using namespace tg::literals;

/// A copy of a matrix by rectangles of Rows x Columns, from views whose rows promise `Multiple`.
template <class T, int Rows, int Columns, int Multiple>
constexpr auto copies = tg::kernel<"copies">(
    tg::block<128>, [](auto block, tg::in2<T, tg::multiple_of<Multiple>> x, tg::out2<T, tg::multiple_of<Multiple>> y,
                       tg::scalar<unsigned> m, tg::scalar<unsigned> n) {
      const auto row = block.index.y * tg::constant<Rows>{};
      const auto column = block.index.x * tg::constant<Columns>{};
      tg::tile_at<Rows, Columns>(tg::sized(y, m, n), row, column) =
          tg::load(block, tg::tile_at<Rows, Columns>(tg::sized(x, m, n), row, column));
    });

template <class T, int Rows, int Columns, int Multiple> void check_copies() {
  tg::device gpu;
  std::mt19937 random(5);
  for (unsigned m : {1u, unsigned(Rows - 1), unsigned(Rows), unsigned(Rows + 1), 2u * Rows, 37u})
    for (unsigned n : {1u, unsigned(Columns - 1), unsigned(Columns), unsigned(Columns + 1), 2u * Columns, 101u}) {
      if (m == 0 || n == 0) continue;
      const tiles::matrix<T> x(m, n, random, Multiple);
      tiles::on_device<T> dx(gpu, x), dy(gpu, tiles::matrix<T>(m, n, Multiple));
      gpu.launch(copies<T, Rows, Columns, Multiple>, tg::grid((n + Columns - 1) / Columns, (m + Rows - 1) / Rows),
                 dx.argument(), dy.argument(), m, n);
      const tiles::matrix<T> y = dy.read();
      bool is_same = true;
      for (unsigned r = 0; r < m; ++r)
        for (unsigned c = 0; c < n; ++c) is_same = is_same && x(r, c) == y(r, c);
      CAPTURE(m);
      CAPTURE(n);
      CHECK(is_same);
    }
}

}  // namespace

TEST_CASE("rectangles are copied to the last row and column, and nothing outside is written") {
  check_copies<float, 8, 128, 4>();
  check_copies<float, 4, 256, 1>();  // no vectors: rows begin anywhere
  check_copies<tg::bf16, 16, 64, 8>();
  check_copies<float, 64, 128, 4>();  // many rows of a thread: which columns are inside is asked once for all of them
  check_copies<tg::bf16, 64, 128, 8>();
}

TEST_CASE("a rectangle inside is read and written in vectors") {
  const std::string text = tg::to_ptx(copies<tg::bf16, 16, 64, 8>);
  CHECK(text.find("ld.global.nc.v4.b32") != std::string::npos);
  CHECK(text.find("st.global.v4.b32") != std::string::npos);
}

namespace {

/// A copy of 16 columns of each matrix, from column 16 * block.index.x on, of which `Columns` are copied. `IsKnown`: the
/// recorder knows where they end.
template <int Columns, bool IsKnown>
constexpr auto copies_of_columns = tg::kernel<"copies_of_columns">(
    tg::block<32>, [](auto block, tg::in2<tg::bf16, tg::multiple_of<8>> x, tg::out2<tg::bf16, tg::multiple_of<8>> y,
                      tg::scalar<unsigned> m, tg::scalar<unsigned> n) {
      const auto column = tg::let(block.index.x * 16_c);
      const auto end = [&] {
        if constexpr (IsKnown) return column + tg::constant<Columns>{};
        else return tg::let(n);
      }();
      tg::tile_at<16, 16>(tg::sized(y, m, end), 0_c, column) =
          tg::load(block, tg::tile_at<16, 16>(tg::sized(x, m, end), 0_c, column));
    });

template <int Columns> void check_columns() {
  tg::device gpu;
  std::mt19937 random(31);
  for (const unsigned m : {1u, 15u, 16u}) {
    const tiles::matrix<tg::bf16> x(m, 48, random);
    tiles::on_device<tg::bf16> dx(gpu, x), dy(gpu, tiles::matrix<tg::bf16>(m, 48));
    gpu.launch(copies_of_columns<Columns, true>, tg::grid(3), dx.argument(), dy.argument(), m, 0u);
    const tiles::matrix<tg::bf16> y = dy.read();
    unsigned wrong = 0;
    for (unsigned r = 0; r < m; ++r)
      for (unsigned c = 0; c < 48; ++c)
        wrong += c % 16 < unsigned(Columns) ? y(r, c) != x(r, c) : !tiles::matrix<tg::bf16>::is_gap(tg::bf16(float(y(r, c))));
    CAPTURE(m);
    CAPTURE(Columns);
    CHECK(wrong == 0);
  }
}

}  // namespace

TEST_CASE("where the recorder knows that columns end between vectors, none is taken apart") {
  check_columns<16>();
  check_columns<8>();
  check_columns<12>();  // in the middle of a vector
  const auto has_elements = [](const auto& kernel) { return tg::to_ptx(kernel).find("st.global.b16") != std::string::npos; };
  CHECK(!has_elements(copies_of_columns<16, true>));
  CHECK(!has_elements(copies_of_columns<8, true>));
  CHECK(has_elements(copies_of_columns<12, true>));
  CHECK(has_elements(copies_of_columns<16, false>));
}

namespace {

/// The sum of each row, which several threads hold.
constexpr auto sums_of_rows = tg::kernel<"sums_of_rows">(
    tg::block<128>, [](auto block, tg::in2<float, tg::multiple_of<4>> x, tg::out<float> sums, tg::scalar<unsigned> m) {
      const auto first = tg::let(block.index.x * 16_c);
      const auto own = tg::load(block, tg::tile_at<16, 64>(tg::sized(x, m, 64u), first, 0_c));
      tg::column_at<16>(tg::sized(sums, m), first) = tg::row_sum(own);
    });

/// Sums of products, as elements of `T`, to rows that begin at a number of which the compiler knows nothing.
template <class T>
constexpr auto to_late_rows =
    tg::kernel<"to_late_rows">(tg::block<128>, [](auto block, tg::in2<tg::bf16, tg::multiple_of<8>> x,
                                                  tg::out2<T, tg::multiple_of<8>> y, tg::scalar<unsigned> n) {
      auto sum = tg::zeros<float, 64, 64>(block);
      const auto own = tg::to_shared(block, tg::tile_at<64, 64>(tg::sized(x, 64_c, 64_c), 0_c, 0_c));
      sum += tg::dot(tg::in_registers(block, own), tg::transposed(own));
      const auto row = tg::let(block.index.z * (n + 63u));
      tg::tile_at<64, 64>(tg::sized(y, row + 64_c, 64_c), row, 0_c) = tg::cast<T>(sum);
    });

template <class T> void check_late_rows(unsigned n) {
  tg::device gpu;
  std::mt19937 random(11);
  const tiles::matrix<tg::bf16> x(64, 64, random);
  tiles::on_device<tg::bf16> dx(gpu, x);
  tiles::on_device<T> dy(gpu, tiles::matrix<T>(2 * 63 + 2 * n + 64, 64));
  gpu.launch(to_late_rows<T>, tg::grid(1, 1, 3), dx.argument(), dy.argument(), n);
  const tiles::matrix<T> y = dy.read();
  tiles::excess excess;
  for (unsigned z = 0; z < 3; ++z)
    for (unsigned r = 0; r < 64; ++r)
      for (unsigned c = 0; c < 64; ++c) {
        double sum = 0, size = 0;
        for (unsigned k = 0; k < 64; ++k) sum += x(r, k) * x(c, k), size += std::abs(x(r, k) * x(c, k));
        excess(y(z * (n + 63) + r, c), sum, 1e-5 * size + (sizeof(T) == 2 ? std::abs(sum) * 0x1p-8 : 0));
      }
  CAPTURE(n);
  CHECK(excess.worst <= 1);
}

}  // namespace

TEST_CASE("what several threads hold is stored by one of them") {
  CHECK(tg::analyze(sums_of_rows).refuted().empty());
  tg::device gpu;
  std::mt19937 random(6);
  for (const unsigned m : {1u, 15u, 16u, 17u, 32u, 37u}) {
    CAPTURE(m);
    const tiles::matrix<float> x(m, 64, random, 4);
    tiles::on_device<float> dx(gpu, x);
    auto sums = gpu.upload(std::vector<float>(m, 777.0f));
    gpu.launch(sums_of_rows, tg::grid((m + 15) / 16), dx.argument(), sums, m);
    const std::vector<float> found = sums.to_host();
    for (unsigned r = 0; r < m; ++r) {
      double wanted = 0;
      for (unsigned c = 0; c < 64; ++c) wanted += x(r, c);
      CHECK(std::abs(found[r] - wanted) <= 1e-4);
    }
  }
}

TEST_CASE("sums of 16 bits pass through shared memory, whatever is known of the row that they go to") {
  for (const unsigned n : {1u, 2u, 65u}) {
    check_late_rows<tg::bf16>(n);
    check_late_rows<float>(n);
  }
  // Floats fill sectors as they are.
  CHECK(tg::to_ptx(to_late_rows<tg::bf16>).find("st.shared") != std::string::npos);
  CHECK(tg::to_ptx(to_late_rows<float>).find("st.shared") == std::string::npos);
}

namespace {

/// Each element plus the last one of the matrix, and plus number 2 of `more`.
template <class T, int Rows, int Columns, int Threads, class Spread>
constexpr auto adds_one_element = tg::kernel<"adds_one_element">(
    tg::block<Threads>, [](auto block, tg::in2<T, tg::multiple_of<8>> x, tg::in<T> more, tg::out2<T, tg::multiple_of<8>> y,
                           tg::scalar<unsigned> m, tg::scalar<unsigned> n) {
      const auto own = Spread::of(block, tg::tile_at<Rows, Columns>(tg::sized(x, m, n), 0_c, 0_c));
      tg::tile_at<Rows, Columns>(tg::sized(y, m, n), 0_c, 0_c) =
          own + tg::tile_at<1, 1>(tg::sized(x, m, n), m - 1u, n - 1u) + tg::tile_at<1>(tg::sized(more, 3_c), 2_c);
    });

struct as_loaded {
  template <class Block, class Part> static auto of(const Block& block, const Part& part) { return tg::load(block, part); }
};
struct as_sums {
  template <class Block, class Part> static auto of(const Block& block, const Part& part) {
    return tg::spread_like(tg::load(block, part), tg::zeros<float, Part::rows, Part::columns>(block));
  }
};

template <class T, int Rows, int Columns, int Threads, class Spread> void check_one_element() {
  tg::device gpu;
  for (const unsigned m : {1u, unsigned(Rows), Rows + 3u})
    for (const unsigned n : {1u, Columns - 1u, unsigned(Columns), 2u * Columns}) {
      tiles::matrix<T> x(m, n);
      for (unsigned r = 0; r < m; ++r)
        for (unsigned c = 0; c < n; ++c) x(r, c) = T(static_cast<float>((r * 37 + c * 11) % 97));
      const auto more = gpu.upload(std::vector<T>{T(1.0f), T(2.0f), T(4.0f)});
      tiles::on_device<T> dx(gpu, x), dy(gpu, tiles::matrix<T>(m, n));
      gpu.launch(adds_one_element<T, Rows, Columns, Threads, Spread>, tg::grid(1), dx.argument(), more, dy.argument(), m, n);
      const tiles::matrix<T> y = dy.read(), from = dx.host;
      unsigned wrong = 0;
      for (unsigned r = 0; r < std::min(m, unsigned(Rows)); ++r)
        for (unsigned c = 0; c < std::min(n, unsigned(Columns)); ++c) wrong += y(r, c) != from(r, c) + from(m - 1, n - 1) + 4;
      CAPTURE(m);
      CAPTURE(n);
      CHECK(wrong == 0);
    }
}

}  // namespace

TEST_CASE("a rectangle of one element stands for all rows and columns, also the last element of a matrix") {
  check_one_element<float, 32, 128, 128, as_loaded>();
  check_one_element<float, 16, 16, 32, as_loaded>();
  check_one_element<float, 1, 256, 64, as_loaded>();
  check_one_element<float, 64, 32, 128, as_sums>();
  check_one_element<tg::f16, 64, 64, 128, as_loaded>();
  check_one_element<tg::f16, 64, 32, 128, as_sums>();
}

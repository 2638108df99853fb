// Matrices moved by ldmatrix and stmatrix, transposed and not: wavefronts.
#include <tests/agreement/agreement.hpp>

#include <utility>

#include <tg/dsl/matrix/load_matrix.hpp>
#include <tg/dsl/matrix/store_matrix.hpp>

namespace {

using agreement::tally;
using namespace tg::literals;

/// How matrices are moved, by the seed of their place.
struct manner { bool transposes, stores; };

template <manner How, int Matrices, class Tile, class R, class C>
void move(tg::var<unsigned>& sum, const Tile& tile, const R& row, const C& column, tg::allow<tg::TG201> excuse) {
  const auto got = [&] {
    if constexpr (How.transposes) return tg::load_matrix_transposed<Matrices>(tile, row, column, excuse);
    else return tg::load_matrix<Matrices>(tile, row, column, excuse);
  }();
  for (int m = 0; m < Matrices; ++m) sum += got(m);
  if constexpr (How.stores && How.transposes) tg::store_matrix_transposed(tile, row, column, got, excuse);
  else if constexpr (How.stores) tg::store_matrix(tile, row, column, got, excuse);
}

template <std::uint32_t Seed, int Matrices, class Block, class Tile>
void move(const Block& block, const Tile& tile, tg::var<unsigned>& sum) {
  constexpr int elems = 16 / Tile::element_bytes;
  const auto row = agreement::lane_expression<agreement::mixed(Seed, 41), 1>(block) % tg::constant<Tile::rows>{};
  const auto column =
      agreement::lane_expression<Seed, 2>(block) % tg::constant<Tile::columns / elems>{} * tg::constant<elems>{};
  using linear = tg::detail::linear_form<Tile, decltype(row), decltype(column)>;
  using form = typename Tile::rules::template physical<linear>;
  using check = tg::detail::matrix_check<form, Tile::element_bytes, Matrices>;
  if constexpr (tg::index::worst_of<check, form>.known) {
    using agreement::traced_index;
    constexpr manner how{Tile::element_bytes == 2 && Seed % 3 == 0, Seed % 2 == 0};
    move<how, Matrices>(sum, tile, row, column, agreement::while_compiling<tg::TG201>);
    move<how, Matrices>(sum, tile, traced_index{row.operand}, traced_index{column.operand},
                        agreement::while_tracing<tg::TG201>);
  }
}

template <class T, int Matrices, std::uint32_t First, class Block, class Layout, std::uint32_t... Seeds>
void run(tg::device& gpu, const Block&, Layout, tally& total, std::integer_sequence<std::uint32_t, Seeds...>) {
  constexpr auto kernel = tg::kernel<"agreement_matrix">(Block{}, [](auto block, tg::out<unsigned> y) {
    const auto tile = tg::shared<T>(tg::shape<32, 64>, Layout{});
    tg::var<unsigned> sum = 0u;
    (move<First + Seeds, Matrices>(block, tile, sum), ...);
    y(block.global_index()) = sum;
  });
  ledger counted(kernel);
  auto y = gpu.zeros<unsigned>(Block::threads);
  counted.count([&] { gpu.launch(kernel, tg::grid(1), y); });
  agreement::compare(counted, "matrices", total, 90);
}

template <class T, int Matrices, std::uint32_t First, class Block, class Layout>
void run(tg::device& gpu, const Block&, Layout layout, tally& total) {
  run<T, Matrices, First>(gpu, Block{}, layout, total, agreement::seeds<12>{});
}

}  // namespace

const tally& agreement::moved_matrices() {
  static const tally all = [] {
    tg::device gpu("emulator");
    tally total;
    run<std::uint16_t, 1, 3000>(gpu, tg::block<32>, tg::pitch<64>, total);
    run<std::uint16_t, 2, 3100>(gpu, tg::block<64>, tg::pitch<72>, total);
    run<std::uint16_t, 4, 3200>(gpu, tg::block<32, 2>, tg::swizzle<3, 3, 3>, total);
    run<std::uint16_t, 4, 3300>(gpu, tg::block<16, 4>, tg::pitch<64>, total);
    run<float, 4, 3400>(gpu, tg::block<8, 8>, tg::pitch<68>, total);
    run<std::uint8_t, 2, 3500>(gpu, tg::block<32>, tg::swizzle<2, 4, 3>, total);
    return total;
  }();
  return all;
}

TEST_CASE("matrices in tiles, plain, padded and swizzled") {
  const tally& total = agreement::moved_matrices();
  MESSAGE(total.compared, " accesses compared, ", total.bad, " of them bad");
  CHECK(total.kinds.at("matrices, shared loads") >= 70 / agreement::compilers);
  CHECK(total.kinds.at("matrices, shared stores") >= 30 / agreement::compilers);
  CHECK(total.bad >= 20 / agreement::compilers);
}

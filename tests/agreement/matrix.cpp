// Matrices moved by ldmatrix and stmatrix: the compiler's wavefronts are the emulator's.
#include <tests/agreement/agreement.hpp>

#include <utility>

#include <tg/dsl/load_matrix.hpp>
#include <tg/dsl/store_matrix.hpp>

namespace {

using agreement::tally;
using namespace tg::literals;

int stores = 0;  // compared

template <std::uint32_t Seed, int Matrices, class Block, class Tile>
void move(const Block& block, const Tile& tile, tg::var<unsigned>& sum) {
  constexpr int elems = 16 / Tile::element_bytes;
  const auto row = agreement::lane_expression<agreement::mixed(Seed, 41), 1>(block) % tg::constant<Tile::rows>{};
  const auto column =
      agreement::lane_expression<Seed, 2>(block) % tg::constant<Tile::columns / elems>{} * tg::constant<elems>{};
  using linear = tg::detail::linear_form<tg::index::number<Tile::pitch_elems>, decltype(row), decltype(column)>;
  using form = typename Tile::rules::template physical<linear>;
  using check = tg::detail::matrix_check<form, Tile::element_bytes, Matrices>;
  if constexpr (tg::index::worst_of<check, form>.known) {
    constexpr tg::allow<tg::TG201> excuse("counted, good or bad");
    const auto got = tg::load_matrix<Matrices>(tile, row, column, excuse);
    for (int m = 0; m < Matrices; ++m) sum ^= got(m);
    if constexpr (Seed % 4 == 0) tg::store_matrix(tile, row, column, got, excuse);
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
  agreement::compare(counted, total, 90);
  for (const ledger_row& row : counted.rows()) {
    if (!row.access.is_shared || !row.access.is_write) continue;
    INFO(row.text());
    CHECK(row.most == static_cast<std::uint32_t>(row.access.shared.wavefronts));
    ++stores;
  }
}

template <class T, int Matrices, std::uint32_t First, class Block, class Layout>
void run(tg::device& gpu, const Block&, Layout layout, tally& total) {
  run<T, Matrices, First>(gpu, Block{}, layout, total, std::make_integer_sequence<std::uint32_t, 12>{});
}

}  // namespace

TEST_CASE("matrices in tiles, plain, padded and swizzled") {
  tg::device gpu("emulator");
  tally total;
  run<std::uint16_t, 1, 3000>(gpu, tg::block<32>, tg::pitch<64>, total);
  run<std::uint16_t, 2, 3100>(gpu, tg::block<64>, tg::pitch<72>, total);
  run<std::uint16_t, 4, 3200>(gpu, tg::block<32, 2>, tg::swizzle<3, 3, 3>, total);
  run<std::uint16_t, 4, 3300>(gpu, tg::block<16, 4>, tg::pitch<64>, total);
  run<float, 4, 3400>(gpu, tg::block<8, 8>, tg::pitch<68>, total);
  run<std::uint8_t, 2, 3500>(gpu, tg::block<32>, tg::swizzle<2, 4, 3>, total);
  MESSAGE(total.compared, " loads compared, ", total.bad, " of them bad, and ", stores, " stores");
  CHECK(stores >= 15);
  CHECK(total.compared >= 70);
  CHECK(total.bad >= 20);
}

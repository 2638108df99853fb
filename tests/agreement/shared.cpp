// Generated loads from shared memory: wavefronts.
#include <tests/agreement/agreement.hpp>

#include <cstdint>
#include <utility>

#include <tg/dsl/memory/access_cost.hpp>

namespace {

using agreement::tally;
using namespace tg::literals;

template <int Width, class Tile, class I>
void add(tg::var<unsigned>& sum, const Tile& tile, const I& i, tg::allow<tg::TG201> excuse) {
  if constexpr (Width == 1) sum += tg::cast<unsigned>(tile(i, excuse));
  else sum += tg::cast<unsigned>(tile.template vec<Width>(i, excuse)(1));
}

template <std::uint32_t Seed, int Width, int Size, class Block, class Tile>
void read(const Block& block, const Tile& tile, tg::var<unsigned>& sum) {
  constexpr int depth = 1 + agreement::mixed(Seed, 31) % 3;
  const auto i = agreement::lane_expression<Seed, depth>(block) % tg::constant<Size / Width>{} * tg::constant<Width>{};
  if constexpr (tg::vector_access_cost<Width, Tile, decltype(i)>.known) {
    add<Width>(sum, tile, i, agreement::while_compiling<tg::TG201>);
    add<Width>(sum, tile, agreement::traced_index{i.operand}, agreement::while_tracing<tg::TG201>);
  }
}

template <class T, int Width, std::uint32_t First, class Block, std::uint32_t... Seeds>
void run_rank_1(tg::device& gpu, const Block&, tally& total, std::integer_sequence<std::uint32_t, Seeds...>) {
  constexpr auto kernel = tg::kernel<"agreement_shared">(Block{}, [](auto block, tg::out<unsigned> y) {
    constexpr int size = 2048;
    const auto tile = tg::shared<T>(tg::shape<size>);
    tg::var<unsigned> sum = 0u;
    (read<First + Seeds, Width, size>(block, tile, sum), ...);
    y(block.global_index()) = sum;
  });
  ledger counted(kernel);
  auto y = gpu.zeros<unsigned>(Block::threads);
  counted.count([&] { gpu.launch(kernel, tg::grid(1), y); });
  agreement::compare(counted, Width == 1 ? "elements" : "vectors", total);
}

template <class T, int Width, std::uint32_t First, class Block> void run_rank_1(tg::device& gpu, const Block&, tally& total) {
  run_rank_1<T, Width, First>(gpu, Block{}, total, agreement::seeds<12>{});
}

template <class Tile, class R, class C>
void add(tg::var<unsigned>& sum, const Tile& tile, const R& row, const C& column, tg::allow<tg::TG201> excuse) {
  sum += tg::cast<unsigned>(tile(row, column, excuse));
}

template <std::uint32_t Seed, class Block, class Tile>
void read_tile(const Block& block, const Tile& tile, tg::var<unsigned>& sum) {
  const auto row = agreement::lane_expression<agreement::mixed(Seed, 41), 1>(block) % 32_c;
  const auto column = agreement::lane_expression<Seed, 2>(block) % 32_c;
  if constexpr (tg::access_cost<Tile, decltype(row), decltype(column)>.known) {
    using agreement::traced_index;
    add(sum, tile, row, column, agreement::while_compiling<tg::TG201>);
    add(sum, tile, traced_index{row.operand}, traced_index{column.operand}, agreement::while_tracing<tg::TG201>);
  }
}

template <class T, std::uint32_t First, class Block, class Layout, std::uint32_t... Seeds>
void run_rank_2(tg::device& gpu, const Block&, Layout, tally& total, std::integer_sequence<std::uint32_t, Seeds...>) {
  constexpr auto kernel = tg::kernel<"agreement_tile">(Block{}, [](auto block, tg::out<unsigned> y) {
    const auto tile = tg::shared<T>(tg::shape<32, 32>, Layout{});
    tg::var<unsigned> sum = 0u;
    (read_tile<First + Seeds>(block, tile, sum), ...);
    y(block.global_index()) = sum;
  });
  ledger counted(kernel);
  auto y = gpu.zeros<unsigned>(Block::threads);
  counted.count([&] { gpu.launch(kernel, tg::grid(1), y); });
  agreement::compare(counted, "elements by row and column", total);
}

template <class T, std::uint32_t First, class Block, class Layout>
void run_rank_2(tg::device& gpu, const Block&, Layout layout, tally& total) {
  run_rank_2<T, First>(gpu, Block{}, layout, total, agreement::seeds<12>{});
}

}  // namespace

const tally& agreement::shared_elements() {
  static const tally all = [] {
    tg::device gpu("emulator");
    tally total;
    run_rank_1<float, 1, 100>(gpu, tg::block<256>, total);
    run_rank_1<float, 1, 200>(gpu, tg::block<32, 8>, total);
    run_rank_1<float, 1, 300>(gpu, tg::block<16, 16>, total);
    run_rank_1<float, 1, 400>(gpu, tg::block<8, 4, 4>, total);
    run_rank_1<float, 1, 500>(gpu, tg::block<7, 5, 3>, total);
    run_rank_1<std::uint8_t, 1, 600>(gpu, tg::block<128>, total);
    run_rank_1<std::uint16_t, 1, 700>(gpu, tg::block<64, 2>, total);
    run_rank_1<double, 1, 800>(gpu, tg::block<64>, total);
    run_rank_1<double, 1, 900>(gpu, tg::block<8, 16>, total);
    run_rank_1<std::uint8_t, 4, 1000>(gpu, tg::block<128>, total);
    run_rank_1<std::uint16_t, 4, 1100>(gpu, tg::block<96>, total);
    run_rank_1<std::uint8_t, 16, 1700>(gpu, tg::block<64>, total);
    run_rank_1<std::uint16_t, 8, 1800>(gpu, tg::block<32, 4>, total);
    run_rank_1<float, 2, 1200>(gpu, tg::block<64, 2>, total);
    run_rank_1<float, 4, 1300>(gpu, tg::block<128>, total);
    run_rank_1<float, 4, 1400>(gpu, tg::block<4, 8, 2>, total);
    run_rank_1<double, 2, 1500>(gpu, tg::block<64>, total);
    return total;
  }();
  return all;
}

const tally& agreement::shared_tiles() {
  static const tally all = [] {
    tg::device gpu("emulator");
    tally total;
    run_rank_2<float, 2000>(gpu, tg::block<32, 8>, tg::pitch<32>, total);
    run_rank_2<float, 2100>(gpu, tg::block<32, 8>, tg::pitch<33>, total);
    run_rank_2<float, 2200>(gpu, tg::block<32, 8>, tg::swizzle<5>, total);
    run_rank_2<float, 2300>(gpu, tg::block<16, 16>, tg::swizzle<5>, total);
    run_rank_2<float, 2400>(gpu, tg::block<16, 16>, tg::swizzle<2, 2>, total);
    run_rank_2<double, 2500>(gpu, tg::block<64>, tg::pitch<34>, total);
    run_rank_2<std::uint8_t, 2600>(gpu, tg::block<32, 4>, tg::pitch<36>, total);
    run_rank_2<float, 2800>(gpu, tg::block<32, 8>, tg::swizzle<2> ^ tg::swizzle<2, 2, 3> ^ tg::swizzle<1, 4, 2>, total);
    run_rank_2<std::uint16_t, 2700>(gpu, tg::block<8, 8, 2>, tg::swizzle<3, 1>, total);
    return total;
  }();
  return all;
}

TEST_CASE("tiles of rank 1, accesses of 1 to 16 bytes") {
  const tally& total = agreement::shared_elements();
  MESSAGE(total.compared, " accesses compared, ", total.bad, " of them bad");
  CHECK(total.compared >= 170 / agreement::compilers);
  CHECK(total.bad >= 20 / agreement::compilers);
  CHECK(total.compared - total.bad >= 40 / agreement::compilers);
}

TEST_CASE("tiles of rank 2, plain, padded and swizzled") {
  const tally& total = agreement::shared_tiles();
  MESSAGE(total.compared, " accesses compared, ", total.bad, " of them bad");
  CHECK(total.compared >= 80 / agreement::compilers);
}

// Generated copies by cp.async of 4, 8 and 16 bytes: sectors where they read, wavefronts where they write.
#include <tests/agreement/agreement.hpp>

#include <cstdint>
#include <utility>

#include <tg/dsl/async/async_copy.hpp>
#include <tg/dsl/async/async_groups.hpp>
#include <tg/dsl/memory/access_cost.hpp>

namespace {

using agreement::tally;
using namespace tg::literals;

constexpr int blocks = 32;  // as many as there are bytes in a sector, so that every base that is permitted occurs
constexpr std::size_t elements = std::size_t{1} << 20;

template <int Width, class Tile, class R, class C, class View, class I>
void copy(const Tile& tile, const R& row, const C& column, tg::allow<tg::TG201> shared, const View& x, const I& i,
          tg::allow<tg::TG202> global) {
  if constexpr (Width == 1) tg::async_copy(tile(row, column, shared), x(i, global));
  else tg::async_copy(tile.template vec<Width>(row, column, shared), x.template vec<Width>(i, global));
}

template <std::uint32_t Seed, int Width, class Block, class View, class Tile>
void copy(const Block& block, const View& x, const Tile& tile) {
  const auto lanes = agreement::lane_expression<Seed, 1 + agreement::mixed(Seed, 29) % 2>(block);
  const auto i = (block.index.x * 512_c + lanes) * tg::constant<Width>{};
  const auto row = agreement::lane_expression<agreement::mixed(Seed, 41), 1>(block) % tg::constant<Tile::rows>{};
  const auto column = lanes % tg::constant<Tile::columns / Width>{} * tg::constant<Width>{};
  if constexpr (tg::vector_access_cost<Width, View, decltype(i)>.known &&
                tg::vector_access_cost<Width, Tile, decltype(row), decltype(column)>.known) {
    using namespace agreement;
    copy<Width>(tile, row, column, while_compiling<tg::TG201>, x, i, while_compiling<tg::TG202>);
    copy<Width>(tile, traced_index{row.operand}, traced_index{column.operand}, while_tracing<tg::TG201>, x,
                traced_index{i.operand}, while_tracing<tg::TG202>);
  }
}

template <class T, int Width, std::uint32_t First, class Block, class Layout, std::uint32_t... Seeds>
void run(tg::device& gpu, const Block&, Layout, tally& total, std::integer_sequence<std::uint32_t, Seeds...>) {
  using view = tg::in<T, tg::aligned<Width * sizeof(T)>>;
  constexpr auto kernel = tg::kernel<"agreement_copies">(Block{}, [](auto block, view x) {
    const auto tile = tg::shared<T>(tg::shape<32, 32>, Layout{});
    (copy<First + Seeds, Width>(block, x, tile), ...);
    tg::async_groups start;
    (void)start.commit().wait();
  });
  ledger counted(kernel);
  const auto x = gpu.zeros<T>(elements);
  for (std::size_t shift = 0; shift * sizeof(T) < 32; shift += Width)
    counted.count([&] { gpu.launch(kernel, tg::grid(blocks), x.part(shift, elements - 32)); });
  agreement::compare(counted, "copies of " + std::to_string(Width * sizeof(T)) + " bytes", total, 80);
}

template <class T, int Width, std::uint32_t First, class Block, class Layout>
void run(tg::device& gpu, const Block&, Layout layout, tally& total) {
  run<T, Width, First>(gpu, Block{}, layout, total, std::make_integer_sequence<std::uint32_t, 8>{});
}

}  // namespace

const tally& agreement::asynchronous_copies() {
  static const tally all = [] {
    tg::device gpu("emulator");
    tally total;
    run<float, 1, 6000>(gpu, tg::block<64>, tg::pitch<32>, total);
    run<float, 1, 6000>(gpu, tg::block<64>, tg::swizzle<5>, total);
    run<float, 2, 6000>(gpu, tg::block<64>, tg::pitch<34>, total);
    run<float, 4, 6000>(gpu, tg::block<64>, tg::swizzle<3, 2, 3>, total);
    run<std::uint16_t, 2, 6100>(gpu, tg::block<16, 4>, tg::pitch<32>, total);
    run<std::uint16_t, 4, 6100>(gpu, tg::block<16, 4>, tg::swizzle<2, 3>, total);
    run<std::uint16_t, 8, 6100>(gpu, tg::block<16, 4>, tg::pitch<40>, total);
    run<std::uint8_t, 16, 6200>(gpu, tg::block<16, 2>, tg::pitch<48>, total);
    return total;
  }();
  return all;
}

TEST_CASE("asynchronous copies to tiles, plain, padded and swizzled") {
  const tally& total = agreement::asynchronous_copies();
  MESSAGE(total.compared, " accesses compared, ", total.bad, " of them bad");
  for (const char* bytes : {"4", "8", "16"})
    for (const char* side : {"global loads", "shared stores"}) {
      CAPTURE(bytes);
      CAPTURE(side);
      CHECK(total.kinds.at("copies of " + std::string(bytes) + " bytes, " + side) >= 12);
    }
  CHECK(total.bad >= 20);
}

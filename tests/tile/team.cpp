#include <tg/tile/team.hpp>

#include "tiles.hpp"

namespace {

using namespace tg::literals;

/// Where each thread's first element is, as the kernel computes it.
template <class Spread, int Rows, int Columns>
constexpr auto places = tg::kernel<"places">(tg::block<128>, [](auto block, tg::out<unsigned> rows, tg::out<unsigned> columns) {
  const auto team = tg::warps<Rows, Columns>(block);
  rows(block.thread.x) = tg::cast<unsigned>(tg::let(block.thread.x * 0u + tg::detail::own_row<Spread>(team)));
  columns(block.thread.x) = tg::cast<unsigned>(tg::let(block.thread.x * 0u + tg::detail::own_column<Spread>(team)));
});

template <class Spread, int Rows, int Columns> void check_places() {
  tg::device gpu;
  auto rows = gpu.upload(std::vector<unsigned>(128, 77)), columns = gpu.upload(std::vector<unsigned>(128, 77));
  gpu.launch(places<Spread, Rows, Columns>, tg::grid(1), rows, columns);
  const auto row = rows.to_host(), column = columns.to_host();
  for (int t = 0; t < 128; ++t) {
    const tg::tile_place lane = Spread::value.lane(t % 32), warp = Spread::value.warp(t / 32);
    CHECK(row[static_cast<std::size_t>(t)] == static_cast<unsigned>(lane.row + warp.row));
    CHECK(column[static_cast<std::size_t>(t)] == static_cast<unsigned>(lane.column + warp.column));
  }
}

}  // namespace

TEST_CASE("threads compute where their elements are") {
  check_places<tg::sums_spread<64, 64, 2, 2>, 2, 2>();
  check_places<tg::sums_spread<64, 64, 4, 1>, 4, 1>();
  check_places<tg::run_spread<4, 256, 4, 4>, 4, 1>();
  check_places<tg::run_spread<1, 1024, 4, 4>, 4, 1>();
  check_places<tg::slice_spread<tg::sums_spread<64, 64, 2, 2>, true>, 2, 2>();
}

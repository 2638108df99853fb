#include <tg/runtime/view_maps.hpp>

#include <vector>

#include <tg/dsl.hpp>
#include <tg/dsl/bulk/bulk_copy.hpp>
#include <tg/dsl/bulk/tensor_map.hpp>
#include <tg/dsl/bulk/view_map.hpp>
#include <tg/dsl/kernel/to_ptx.hpp>
#include <tg/dsl/value/choose.hpp>
#include <tg/runtime.hpp>
#include <tg/runtime/graph.hpp>
#include <tg/runtime/module.hpp>

#include "hand_written.hpp"

using namespace tg::literals;
using hand_written::error_of;

namespace {

using view = tg::in2<float, tg::multiple_of<4>>;

/// y = the 8 x 32 elements of x from row 5 on, zeros behind its `n` rows, and behind `m` columns or those of the argument.
template <bool KnowsColumns>
constexpr auto rows_of = tg::kernel<"rows_of">(
    tg::block<32>, [](auto block, view x, tg::out2<float> y, tg::scalar<unsigned> n, tg::scalar<unsigned> m) {
      using namespace tg::detail;
      constexpr auto facts = make_map_facts<float, tg::shape_t<8, 32>>();
      const auto columns = tg::let(tg::choose<KnowsColumns>(m.get(), m + block.index.x));
      const auto map = map_view(x.registers(), facts, argument<unsigned>(n), argument<unsigned>(columns));
      const auto tile = tg::shared<float>(tg::shape<8, 32>);
      auto full = tg::mbarriers<1>(block, 1);
      block.sync();
      auto phase = full.phase(0_c);
      tg::if_(block.thread.x == 0u, [&] {
        const auto where = tg::source_location::current();
        const tg::ptx::operand barrier = full.address(0_c, where);
        arrive_at(barrier, 1024, false, where);
        const tg::ptx::operand place[] = {tg::ptx::operand::integer(5), tg::ptx::operand::integer(0)};
        begin_bulk_load({.to = bulk_address(tile, 128),
                         .from = tg::ptx::operand::address(map.address),
                         .map_coordinates = map_coordinates(place, 2),
                         .bytes = 1024,
                         .rank = 2},
                        barrier, where);
      });
      (void)phase.wait();
      for (unsigned row = 0; row < 8; ++row) y(row, block.thread.x) = tile(row, block.thread.x);
    });

struct machine {
  tg::device gpu{"emulator"};
  tg::buffer<float> x = gpu.upload(std::vector<float>(40 * 48, 3.0f));
  tg::buffer<float> y = gpu.zeros<float>(8 * 32);

  /// Whether y has so many rows and columns of x, and zeros behind them.
  void check(int rows, int columns) {
    const auto got = y.to_host();
    int wrong = 0;
    for (int r = 0; r < 8; ++r)
      for (int c = 0; c < 32; ++c)
        wrong += got[static_cast<std::size_t>(32 * r + c)] != (r < rows && c < columns ? 3.0f : 0.0f);
    CHECK(wrong == 0);
    y = gpu.upload(std::vector<float>(8 * 32, -1.0f));
  }
};

}  // namespace

TEST_CASE("a launch makes maps of its views: of what scalars say, else of the argument's extents") {
  machine m;
  const auto target = tg::matrix(m.y, 8, 32);
  m.gpu.launch(rows_of<true>, tg::grid(1), tg::matrix(m.x, 40, 48), target, 40u, 48u);
  m.check(8, 32);
  m.gpu.launch(rows_of<true>, tg::grid(1), tg::matrix(m.x, 40, 48), tg::matrix(m.y, 8, 32), 9u, 7u);
  m.check(4, 7);
  m.gpu.launch(rows_of<false>, tg::grid(1), tg::matrix(m.x, 40, 21, 48), tg::matrix(m.y, 8, 32), 11u, 7u);
  m.check(6, 21);
}

TEST_CASE("launches that are prepared, nodes of graphs and captured ones make their maps too") {
  machine m;
  const tg::prepared again(m.gpu, rows_of<true>, tg::grid(1));
  for (const unsigned rows : {6u, 13u, 5u}) {
    again(tg::matrix(m.x, 40, 48), tg::matrix(m.y, 8, 32), rows, 32u);
    m.check(static_cast<int>(rows) - 5, 32);
  }
  tg::graph g(m.gpu);
  g.after().launch(rows_of<true>, tg::grid(1), tg::matrix(m.x, 40, 48), tg::matrix(m.y, 8, 32), 8u, 9u);
  const auto ready = g.instantiate();
  auto work = tg::stream(m.gpu).begin();
  work.replay(ready);
  auto idle = std::move(work).submit().wait();
  m.check(3, 9);

  auto captured = std::move(idle).capture();
  captured.launch(rows_of<true>, tg::grid(1), tg::matrix(m.x, 40, 48), tg::matrix(m.y, 8, 32), 7u, 30u);
  auto done = std::move(captured).end();
  const auto other = done.graph.instantiate();
  auto next = std::move(done.stream).begin();
  next.replay(other);
  (void)std::move(next).submit().wait();
  m.check(2, 30);
}

TEST_CASE("a kernel that is loaded from its text has its maps, unless the argument alone says where one ends") {
  machine m;
  const auto launch = [&](const auto& kernel) {
    const tg::module loaded(m.gpu, tg::to_ptx(kernel));
    loaded.function("rows_of").launch(tg::grid(1), {32, 1, 1}, m.x, 192u, m.y, 128u, 9u, 7u);
  };
  launch(rows_of<true>);
  m.check(4, 7);
  CHECK(error_of([&] { launch(rows_of<false>); }).number == 577);
}

TEST_CASE("rows that signed coordinates do not reach are refused with the number of the argument") {
  machine m;
  const auto wrong = error_of(
      [&] { m.gpu.launch(rows_of<true>, tg::grid(1), tg::matrix(m.x, 40, 48), tg::matrix(m.y, 8, 32), 0x80000000u, 48u); });
  CHECK(wrong.number == 577);
  CHECK(wrong.says("argument 1 has 2147483648 rows"));
}

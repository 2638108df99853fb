#include <tg/dsl/block/for_tiles.hpp>

#include <tg/dsl/block/block_reduce.hpp>

#include "../word.hpp"

namespace { using tg::literals::operator""_c; }  // namespace

TEST_CASE("full tiles and the ragged one together meet each element once") {
  const auto kernel =
      tg::lower(tg::kernel<"tiles">(tg::block<32>, [](auto block, tg::inout<unsigned> y, tg::scalar<unsigned> n) {
        tg::for_tiles<4>(block, n, [&](auto tile) { tile.each([&](auto i) { y(i) += i + 1u; }); });
      }));
  CHECK(accuracy::complaints_from_its_sm_on(kernel.ptx) == "");
  for (const unsigned n : {0u, 1u, 127u, 128u, 129u, 256u, 1009u})
    for (const unsigned blocks : {1u, 2u, 20u}) {
      std::vector<unsigned> y(std::max(n, 1u));
      word::launch(kernel.ptx, blocks, y, n);
      for (unsigned i = 0; i < n; ++i) REQUIRE(y[i] == i + 1);
    }
}

TEST_CASE("a full tile compares nothing, a ragged one each element; barriers may stand in either") {
  int full = 0, ragged = 0;
  const auto kernel = tg::lower(
      tg::kernel<"sums">(tg::block<32>, [&](auto block, tg::in<unsigned> x, tg::inout<unsigned> sums, tg::scalar<unsigned> n) {
        tg::for_tiles<2>(block, n, [&](auto tile) {
          (tile.is_full ? full : ragged) += tile.items;
          tg::var<unsigned> own = 0u;
          tile.each_item([&](auto k, auto i) { own += x(i) * static_cast<unsigned>(k.value + 1); });
          const auto sum = tg::block_sum(block, own);
          tg::if_(block.thread.x == 0, [&] { sums(tile.first / 64_c) = sum; });
        });
      }));
  CHECK(full == 2);
  CHECK(ragged == 2);
  CHECK(accuracy::complaints_from_its_sm_on(kernel.ptx) == "");
  const unsigned n = 64 * 3 + 40;
  std::vector<unsigned> x(n), sums(4), wanted(4);
  for (unsigned i = 0; i < n; ++i) wanted[i / 64] += (x[i] = i * i) * (i % 64 / 32 + 1);
  word::launch(kernel.ptx, 2, x, sums, n);
  CHECK(sums == wanted);
}

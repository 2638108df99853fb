#include <tg/dsl/bulk/bulk_copy.hpp>

#include "../word.hpp"

#include <tg/dsl/flow/unroll.hpp>
#include <tg/dsl/wgmma/fence_async_proxy.hpp>

using namespace tg::literals;

namespace {

using shape = tg::block_t<64, 1, 1>;
using one_warp = tg::block_t<32, 1, 1>;
using pair = std::remove_const_t<decltype(tg::block<32> | tg::cluster<2>)>;
using four = std::remove_const_t<decltype(tg::block<32> | tg::cluster<4>)>;

}  // namespace

TEST_CASE("a tile is filled by one copy and is there behind the wait") {
  const auto x = word::random_words<unsigned>(4 * 256);
  const auto y = word::run<shape, unsigned>(
      [](auto block, auto from, auto to) {
        const auto tile = tg::shared<unsigned>(tg::shape<256>);
        auto full = tg::mbarriers<1>(block, 1);
        block.sync();
        auto phase = full.phase(0_c);
        tg::if_(block.thread.x == 0u, [&] { full.expect(0, tg::bulk_copy(tile, from, block.index.x * 256_c)); });
        (void)phase.wait();
        tg::for_(tg::range(block.thread.x, 256u, 64_c), [&](auto i) { to(block.index.x * 256_c + i) = tile(i ^ 1u) + 1u; });
      },
      x, 4);
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(y[i] == x[i ^ 1] + 1);
}

TEST_CASE("lanes copy rows of a matrix, several to one barrier") {
  const auto x = word::random_words<unsigned>(1024);
  const auto y = word::run<one_warp, unsigned>(
      [](auto block, auto from, auto to) {
        const auto left = tg::stages<unsigned, 8>(tg::shape<1, 16>), right = tg::stages<unsigned, 8>(tg::shape<1, 16>);
        auto full = tg::mbarriers<1>(block, 8);
        block.sync();
        auto phase = full.phase(0_c);
        tg::if_(block.thread.x < 8u, [&] {
          const auto row = block.thread.x;
          const auto first = (block.index.x * 8_c + row) * 64_c;
          full.expect(0, tg::bulk_copy(left.fill(row), from, first + 4_c), tg::bulk_copy(right.fill(row), from, first + 40_c));
        });
        (void)phase.wait();
        tg::unroll<8>([&](auto row) {
          const auto in_row = block.thread.x % 16_c;
          const auto first = (block.index.x * 8_c + row) * 64_c;
          to(first + block.thread.x) = tg::select(block.thread.x < 16u, left.all()(row, in_row), right.all()(row, in_row));
        });
      },
      x, 2);
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(y[i] == (i % 64 >= 32 ? 0 : i % 64 < 16 ? x[i + 4] : x[i + 24]));
}

TEST_CASE("one block copies to both blocks of its cluster, each of them half") {
  const auto x = word::random_words<unsigned>(4 * 64);
  const auto y = word::run<pair, unsigned>(
      [](auto block, auto from, auto to) {
        const auto cluster = block.cluster();
        const auto halves = tg::stages<unsigned, 2>(tg::shape<1, 64>);
        auto full = tg::mbarriers<1>(block, 1);
        cluster.sync();
        auto phase = full.phase(0_c);
        tg::if_(block.thread.x == 0u, [&] {
          const auto mine = tg::bulk_copy(halves.fill(cluster.rank), from, block.index.x * 64_c).multicast(3u);
          full.expect(0, mine, tg::from_another_block(mine));
        });
        (void)phase.wait();
        const auto read = [&](auto half) {
          return tg::let(halves.all()(half, block.thread.x)) + halves.all()(half, block.thread.x + 32_c);
        };
        to(block.global_index()) = read(0_c) * 3u + read(1_c);
        cluster.sync();
      },
      x, 4);
  for (std::size_t i = 0; i < 128; ++i) {
    const std::size_t first = i / 64 * 128 + i % 32;
    CHECK(y[i] == (x[first] + x[first + 32]) * 3 + x[first + 64] + x[first + 96]);
  }
}

TEST_CASE("a block sends its tile to the next of its cluster") {
  const auto x = word::random_words<unsigned>(8 * 32);
  const auto y = word::run<four, unsigned>(
      [](auto block, auto from, auto to) {
        const auto cluster = block.cluster();
        const auto own = tg::shared<unsigned>(tg::shape<32>), sent = tg::shared<unsigned>(tg::shape<32>);
        auto full = tg::mbarriers<1>(block, 1);
        own(block.thread.x) = from(block.global_index());
        tg::fence_async_proxy();
        cluster.sync();
        auto phase = full.phase(0_c);
        tg::if_(block.thread.x == 0u, [&] {
          full.expect(0, tg::from_another_block(sent));
          tg::bulk_send(sent, (cluster.rank + 1u) & 3u, own, full, 0u);
        });
        (void)phase.wait();
        to(block.global_index()) = sent(block.thread.x);
        cluster.sync();
      },
      x, 8);
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(y[i] == x[i / 128 * 128 + (i + 96) % 128]);
}

TEST_CASE("a prefetch changes nothing") {
  const auto x = word::random_words<unsigned>(64);
  const auto y = word::run<shape, unsigned>(
      [](auto block, auto from, auto to) {
        tg::if_(block.thread.x == 0u, [&] { tg::bulk_prefetch<64>(from, block.index.x * 64_c); });
        to(block.global_index()) = from(block.global_index());
      },
      x);
  CHECK(y == x);
}

TEST_CASE("a wait that is missing is found by the emulator") {
  const auto run = [] {
    (void)word::run<shape, unsigned>(
        [](auto block, auto from, auto to) {
          const auto tile = tg::shared<unsigned>(tg::shape<64>);
          auto full = tg::mbarriers<1>(block, 1);
          block.sync();
          tg::if_(block.thread.x == 0u, [&] { full.expect(0, tg::bulk_copy(tile, from, 0u)); });
          block.sync();
          to(block.thread.x) = tile(block.thread.x);
        },
        word::random_words<unsigned>(64));
  };
  word::check_is_objected(run);
}

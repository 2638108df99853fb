#include <kernels/gemm_turns.hpp>

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include <tg/tg.hpp>

namespace {

using namespace tg::kernels;

constexpr unsigned entries = 8;
/// Each block writes its turns down: tile, step, place of the tile, the part of the tile, whether it has all of it, and how
/// many steps of it follow.
template <gemm_options Options>
constexpr auto all_turns = tg::kernel<"all_turns">(
    tg::block<32>, [](auto block, tg::out<unsigned> found, tg::out<unsigned> count, tg::out<unsigned> holders,
                      tg::scalar<unsigned> most, tg::scalar<unsigned> m, tg::scalar<unsigned> n, tg::scalar<unsigned> k) {
      const gemm_turns<Options, 16> turns(block.grid.x, m, n, k);
      const auto own = turns.of_block(block.index.x);
      tg::if_(block.thread.x == 0, [&] {
        count(block.index.x) = own.count;
        tg::for_(tg::range(own.count), [&](auto t) {
          const auto turn = tg::assume_uniform(t);
          const auto at = own.step_of(turn);
          const auto place = turns.place_of(at.tile);
          const auto first = tg::let((block.index.x * most + turn) * entries);
          const auto put = [&](unsigned e, const auto& x) { found(tg::scatter(first + e)) = x; };
          put(0, at.tile), put(1, at.step), put(2, place.down), put(3, place.across);
          put(4, own.part_of(turn)), put(5, tg::select(own.has_all(turn, at), 1u, 0u));
          put(6, own.length_from(turn)), put(7, turns.first_left());
        });
        tg::if_(block.index.x == 0u, [&] {
          tg::for_(tg::range(turns.left() * turns.steps()),
                   [&](auto s) { holders(tg::scatter(s + 0u)) = turns.block_of(tg::assume_uniform(s)); });
        });
      });
    });

template <gemm_options Options> void check_turns(unsigned m, unsigned n, unsigned k, unsigned blocks) {
  tg::device gpu;
  const unsigned down = (m + 127) / 128, across = (n + Options.columns - 1) / Options.columns;
  const unsigned steps = std::max((k + 15) / 16, 1u), tiles = down * across, most = (tiles / blocks + 1) * steps + 1;
  auto found = gpu.zeros<unsigned>(std::size_t{blocks} * most * entries), count = gpu.zeros<unsigned>(blocks),
       holders = gpu.zeros<unsigned>(std::size_t{blocks} * steps + 1);
  gpu.launch(all_turns<Options>, tg::grid(blocks), found, count, holders, most, m, n, k);
  const std::vector<unsigned> all = found.to_host(), counts = count.to_host(), held = holders.to_host();
  CAPTURE(m);
  CAPTURE(n);
  CAPTURE(k);
  CAPTURE(blocks);
  std::set<std::pair<unsigned, unsigned>> made, seen_places;
  std::map<unsigned, std::pair<unsigned, unsigned>> place_of;
  std::map<unsigned, std::set<unsigned>> makers;
  for (unsigned b = 0; b < blocks; ++b)
    for (unsigned t = 0; t < counts[b]; ++t) makers[all[(std::size_t{b} * most + t) * entries]].insert(b);
  const unsigned left = tiles % blocks, first_left = tiles - left;
  unsigned least = ~0u, largest = 0;
  for (unsigned b = 0; b < blocks; ++b) {
    REQUIRE(counts[b] < most);
    least = std::min(least, counts[b]), largest = std::max(largest, counts[b]);
    for (unsigned t = 0; t < counts[b]; ++t) {
      const unsigned* e = &all[(std::size_t{b} * most + t) * entries];
      const unsigned tile = e[0], step = e[1];
      REQUIRE(tile < tiles);
      REQUIRE(step < steps);
      CHECK(made.insert({tile, step}).second);
      CHECK(e[2] < down);
      CHECK(e[3] < across);
      CHECK(place_of.try_emplace(tile, e[2], e[3]).first->second == std::pair(e[2], e[3]));
      if (tile >= first_left) {
        const unsigned first_own = tiles % blocks == 0 ? 0 : all[(std::size_t{b} * most + tiles / blocks * steps) * entries];
        CHECK(e[4] == tile - first_own);
      }
      if (step + 1 == steps) CHECK(e[5] == (makers[tile].size() == 1 ? 1 : 0));
      unsigned length = 1;
      while (t + length < counts[b] && e[length * entries] == tile) ++length;
      CHECK(e[6] == length);
      CHECK(e[7] == first_left);
      if (tile >= first_left) CHECK(held[(tile - first_left) * steps + step] == b);
    }
  }
  CHECK(made.size() == std::size_t{tiles} * steps);
  for (const auto& [tile, place] : place_of) CHECK(seen_places.insert(place).second);
  CHECK(seen_places.size() == tiles);
  CHECK(largest - least <= 1);
}

constexpr gemm_options plain{}, in_bands{.band = 3}, wide{.band = 2, .columns = 256};

}  // namespace

TEST_CASE("each step of each tile is one block's, and all have the same number of steps within one") {
  for (const unsigned blocks : {1u, 2u, 3u, 7u, 12u, 13u, 40u}) {
    check_turns<plain>(385, 263, 70, blocks);
    check_turns<in_bands>(897, 257, 33, blocks);
    check_turns<wide>(257, 1025, 16, blocks);
    check_turns<plain>(1, 1, 160, blocks);
    check_turns<plain>(128, 128, 0, blocks);
  }
}

TEST_CASE("neighbours of a band of tiles are below each other") {
  tg::device gpu;
  auto found = gpu.zeros<unsigned>(64 * entries), count = gpu.zeros<unsigned>(1), holders = gpu.zeros<unsigned>(64);
  gpu.launch(all_turns<in_bands>, tg::grid(1), found, count, holders, 64u, 512u, 256u, 16u);
  const std::vector<unsigned> all = found.to_host();
  const std::vector<std::pair<unsigned, unsigned>> wanted{{0, 0}, {1, 0}, {2, 0}, {0, 1}, {1, 1}, {2, 1}, {3, 0}, {3, 1}};
  for (unsigned t = 0; t < wanted.size(); ++t) CHECK(std::pair(all[t * entries + 2], all[t * entries + 3]) == wanted[t]);
}

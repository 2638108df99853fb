#include <tg/layout/wavefronts.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>

#include <tg/analysis/global.hpp>
#include <tg/analysis/shared.hpp>
#include <tg/emulator/access/count_request.hpp>

#include "../random_seed.hpp"

namespace {

using tg::linear_layout;

tg::analysis::request to_request(const linear_layout& lane_bytes, std::uint32_t first, int access_bytes) {
  tg::analysis::request out;
  for (std::uint32_t l = 0; l < 32; ++l) out.address_bytes[l] = lane_bytes(l) ^ first;
  out.access_bytes = access_bytes;
  return out;
}

/// Wavefronts by words in sets, one for each bank and phase.
int count_by_sets(const tg::analysis::request& r) {
  const int lanes = r.access_bytes == 16 ? 8 : r.access_bytes == 8 ? 16 : 32;
  int out = 0;
  for (int first = 0; first < 32; first += lanes) {
    std::array<std::set<std::int64_t>, 32> words;
    for (int l = first; l < first + lanes; ++l)
      for (std::int64_t byte = 0; byte < r.access_bytes; ++byte) {
        const std::int64_t word = (r.address_bytes[static_cast<std::size_t>(l)] + byte) / 4;
        words[static_cast<std::size_t>(word % 32)].insert(word);
      }
    std::size_t most = 0;
    for (const auto& w : words) most = std::max(most, w.size());
    out += static_cast<int>(most);
  }
  return out;
}

/// A random tile layout, where the tile lies in memory, and a vector that keeps both whole.
struct access_case {
  linear_layout lane_bytes;
  std::uint32_t first = 0;  // of a register and a warp
  int access_bytes = 4;
};

template <class Swizzle> access_case make_random(std::mt19937& random, Swizzle swizzle) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (;;) {
    const tg::extent_bits tile{below(8), below(8)}, own{below(3), below(4)}, warps{below(2), below(2)};
    const int down = below(6), element = below(5), pitch = tile.columns + below(3);
    auto l = tg::make_blocked_layout(tile, own, {down, 5 - down}, warps);
    if (below(3) == 0) std::shuffle(l.map.bases + l.register_bits, l.map.bases + l.register_bits + 5, random);
    const auto memory = tg::make_memory_map(tile.rows, tile.columns, 1 << pitch, 1 << element, swizzle);
    if (!memory) continue;
    const int widest = tg::widest_vector(l, *memory, 1 << element), chosen = std::min(widest, 1 << below(4));
    const linear_layout bytes = memory->compose(l.map);
    access_case out{bytes.pick_inputs(l.register_bits, 5), 0, chosen << element};
    const auto number = static_cast<std::uint32_t>(random()) & tg::bit_mask(0, bytes.inputs);
    const std::uint32_t lanes = tg::bit_mask(l.register_bits, 5) | static_cast<std::uint32_t>(chosen - 1);
    out.first = bytes(number & ~lanes);
    return out;
  }
}

template <class Swizzle> void check_random(std::mt19937& random, Swizzle swizzle, int rounds) {
  int flips = 0, found = 0;
  for (int round = 0; round < rounds; ++round) {
    access_case c = make_random(random, swizzle);
    const auto request = to_request(c.lane_bytes, c.first, c.access_bytes);
    const auto shared = tg::count_wavefronts(c.lane_bytes, c.access_bytes);
    REQUIRE(shared);
    const auto walked = tg::analysis::count_shared(request);
    CHECK(shared->total() == walked.wavefronts);
    CHECK(shared->ways == walked.ways);
    CHECK(shared->total() == count_by_sets(request));
    tg::emulator::instruction_count counted;
    tg::emulator::count_request(counted, request, tg::ptx::token::shared, true);
    CHECK(static_cast<std::uint64_t>(shared->total()) == counted.wavefronts);
    tg::emulator::count_request(counted, request, tg::ptx::token::global, true);
    CHECK(static_cast<std::uint64_t>(tg::count_sectors(c.lane_bytes, c.access_bytes).value()) == counted.sectors);
    // One bit of one lane's basis flipped: the numbers change often, and never without the walk changing too.
    const auto bit = static_cast<int>(random() % 8);
    if (1 << bit < c.access_bytes) continue;
    c.lane_bytes.bases[random() % 5] ^= std::uint32_t{1} << bit;
    ++flips;
    const int other = tg::count_wavefronts(c.lane_bytes, c.access_bytes)->total();
    CHECK(other == count_by_sets(to_request(c.lane_bytes, c.first, c.access_bytes)));
    found += other != shared->total();
  }
  CHECK(found > flips / 20);
}

constexpr auto float_tile = tg::make_memory_map(5, 5, 32, 4).value();
constexpr auto swizzled_tile = tg::make_memory_map(5, 5, 32, 4, tg::swizzle<5>).value();
constexpr linear_layout down_a_column{5, 10, {32, 64, 128, 256, 512}};

}  // namespace

static_assert(tg::count_wavefronts(float_tile.compose(down_a_column), 4)->total() == 32);
static_assert(tg::count_wavefronts(swizzled_tile.compose(down_a_column), 4)->total() == 1);
static_assert(tg::count_sectors(float_tile.compose(down_a_column), 4) == 32);
static_assert(!tg::make_memory_map(5, 5, 33, 4) && !tg::make_memory_map(5, 5, 16, 4) && !tg::make_memory_map(5, 5, 32, 12));

TEST_CASE("wavefronts and sectors by rank are those of the walk over lanes") {
  std::mt19937 random(random_seed());
  check_random(random, tg::swizzle<0>, 2500);
  check_random(random, tg::swizzle<3, 2, 3>, 2500);
  check_random(random, tg::swizzle<2, 3, 3>, 2500);
  check_random(random, tg::swizzle<3, 3, 3>, 2500);
  check_random(random, tg::swizzle<5>, 2500);
  check_random(random, tg::swizzle<2> ^ tg::swizzle<2, 2, 3>, 2500);
}

TEST_CASE("swizzles as maps are the swizzles, and those of tensor maps") {
  const auto check = [](auto swizzle, int bits) {
    const linear_layout map = tg::make_swizzle_map(swizzle, bits);
    CHECK(map.is_invertible());
    CHECK(map.compose(map) == linear_layout::identity(bits));
    for (std::uint32_t i = 0; i < 1u << bits; ++i) CHECK(map(i) == swizzle.apply(i));
  };
  check(tg::swizzle<5>, 12);
  check(tg::swizzle<3, 4, 3>, 12);
  check(tg::swizzle<2> ^ tg::swizzle<2, 2, 3>, 12);
  // PTX ISA 9.0, "Swizzling modes": bits 4 to 6 of an address of bytes, by bits 7 to 9.
  const linear_layout mode_128 = tg::make_swizzle_map(tg::swizzle<3, 4, 3>, 12);
  for (std::uint32_t at = 0; at < 4096; ++at) CHECK(mode_128(at) == (at ^ (at >> 7 & 7) << 4));
}

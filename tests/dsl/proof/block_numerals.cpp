// Indices made of the numbers of a block along several axes: what is proved of them beside all small grids, counted out.
#include <tg/dsl/proof/block_distance.hpp>

#include <array>
#include <cstdint>
#include <random>
#include <set>

#include <doctest/doctest.h>

#include <tg/dsl/proof/analyze.hpp>
#include <tg/tg.hpp>

namespace {

using namespace tg::literals;

/// The first element that a block writes; it writes 32 elements from there on. `b`: the block's numbers, `g`: how many blocks.
template <int K, class B, class G> auto first_element(const B& b, const G& g) {
  if constexpr (K == 0) return ((b.z * g.y + b.y) * g.x + b.x) * 32u;
  else if constexpr (K == 1) return (b.z * (g.y * g.x) + b.y * g.x + b.x) * 32u;
  else if constexpr (K == 2) return ((b.x * g.y + b.y) * g.z + b.z) * 32u;
  else if constexpr (K == 3) return ((b.y * g.z + b.z) * g.x + b.x) * 48u;
  else if constexpr (K == 4) return ((b.z * g.x + b.y) * g.x + b.x) * 32u;  // a weight of another axis
  else if constexpr (K == 5) return ((b.z * g.y + b.y) * g.x + b.x) * 31u;  // blocks lie over each other
  else if constexpr (K == 6) return (b.z * g.y + b.y * g.x + b.x) * 32u;    // a weight is missing
  else if constexpr (K == 7) return ((b.z * g.y + b.y) * g.y + b.x) * 32u;
  else return ((b.z * g.y + b.y) * g.x) * 32u + b.x * 16u;
}
constexpr bool is_right[] = {true, true, true, true, false, false, false, false, false};

template <int K>
constexpr auto kernel = tg::kernel<"numeral">(
    tg::block<32>, [](auto block, tg::out<float> y) { y(first_element<K>(block.index, block.grid) + block.thread.x) = 1.0f; });

struct numbers { unsigned x, y, z; };

/// Whether no two blocks of a grid write one element.
template <int K> bool are_apart(const numbers& grid) {
  std::set<unsigned> written;
  for (unsigned z = 0; z < grid.z; ++z)
    for (unsigned y = 0; y < grid.y; ++y)
      for (unsigned x = 0; x < grid.x; ++x)
        for (unsigned t = 0; t < 32; ++t)
          if (!written.insert(first_element<K>(numbers{x, y, z}, grid) + t).second) return false;
  return true;
}

template <int K> void check() {
  CAPTURE(K);
  bool is_always_apart = true;
  for (unsigned x = 1; x < 4; ++x)
    for (unsigned y = 1; y < 4; ++y)
      for (unsigned z = 1; z < 4; ++z) is_always_apart = is_always_apart && are_apart<K>({x, y, z});
  CHECK(is_always_apart == is_right[K]);
  const tg::kernel_analysis found = tg::analyze(kernel<K>);
  INFO(found.text());
  CHECK((found.refuted().empty() && found.unknown().empty()) == is_right[K]);
}

}  // namespace

TEST_CASE("a numeral of a block's numbers keeps blocks apart, and what is none does not") {
  check<0>();
  check<1>();
  check<2>();
  check<3>();
  check<4>();
  check<5>();
  check<6>();
  check<7>();
  check<8>();
}

namespace {

namespace pf = tg::proof;

// What a symbol is for one block: special registers by the names of their axes, an argument, and products of them.
pf::number value_of(const pf::symbols& s, std::uint32_t id, const std::array<pf::number, 3>& block,
                    const std::array<pf::number, 3>& grid) {
  using tg::ptx::special;
  const pf::symbol& x = s[id];
  if (x.op == pf::operation::product)
    return value_of(s, x.left.terms[0].symbol, block, grid) * value_of(s, x.right.terms[0].symbol, block, grid);
  if (x.special == special::ctaid_x) return block[0];
  if (x.special == special::ctaid_y) return block[1];
  if (x.special == special::ctaid_z) return block[2];
  if (x.special == special::nctaid_x) return grid[0];
  if (x.special == special::nctaid_y) return grid[1];
  if (x.special == special::nctaid_z) return grid[2];
  return 2;  // the argument
}

}  // namespace

// Random sums of numbers of blocks, of products of them and of an argument. Where they hold a numeral, two blocks that differ
// along one of its axes have other values of it, in all grids of up to three blocks along an axis.
TEST_CASE("the numeral of a random sum is another number in each block") {
  const auto seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937 random(seed);
  const auto below = [&](unsigned n) { return random() % n; };
  int numerals = 0;
  for (int round = 0; round < 4000; ++round) {
    pf::symbols s(1);
    using tg::ptx::special;
    const pf::form own[] = {s.of(special::ctaid_x), s.of(special::ctaid_y), s.of(special::ctaid_z)};
    const pf::form counts[] = {s.of(special::nctaid_x), s.of(special::nctaid_y), s.of(special::nctaid_z),
                               pf::single(s.make({.shared = pf::sharing::launch, .low = 0, .high = 9}))};
    pf::form sum;
    const unsigned terms = 2 + below(4);
    for (unsigned k = 0; k < terms; ++k) {
      pf::form product = own[below(3)];
      for (unsigned factors = below(3); factors > 0; --factors)
        product = *s.product(product, below(8) == 0 ? own[below(3)] : counts[below(4)]);
      sum = pf::add(sum, product, 1 + (below(6) == 0));
    }
    const pf::detail::block_numeral found = pf::detail::numeral_in(s, sum, sum);
    if (found.count == 0) continue;
    ++numerals;
    const auto value = [&](const std::array<pf::number, 3>& block, const std::array<pf::number, 3>& grid) {
      pf::number out = 0;
      for (int k = 0; k < found.count; ++k) {
        const auto& digit = found.digits[static_cast<std::size_t>(k)];
        out += digit.factor * value_of(s, digit.id, block, grid);
      }
      return out;
    };
    for (pf::number g = 0; g < 27; ++g) {
      const std::array<pf::number, 3> grid{1 + g % 3, 1 + g / 3 % 3, 1 + g / 9};
      const auto block = [&](pf::number n) {
        return std::array<pf::number, 3>{n % grid[0], n / grid[0] % grid[1], n / grid[0] / grid[1]};
      };
      const pf::number blocks = grid[0] * grid[1] * grid[2];
      for (pf::number a = 0; a < blocks; ++a)
        for (pf::number b = 0; b < a; ++b) {
          bool differs = false;
          for (int axis = 0; axis < 3; ++axis) {
            const auto at = static_cast<std::size_t>(axis);
            differs = differs || (found.has_axis(axis) && block(a)[at] != block(b)[at]);
          }
          if (differs) REQUIRE(value(block(a), grid) != value(block(b), grid));
        }
    }
  }
  CHECK(numerals > 100);
}

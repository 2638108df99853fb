// Indices made of the numbers of a block along several axes: what is proved of them beside all small grids, counted out.
#include <tg/dsl/proof/block_distance.hpp>

#include <array>
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

#include <kernels/tiled_body.hpp>

#include <doctest/doctest.h>

#include <kernels/attention_f8.hpp>
#include <kernels/attention_tiles.hpp>
#include <kernels/sgemm.hpp>
#include <tg/runtime/variants.hpp>

using namespace tg::kernels;

TEST_CASE("grids of products follow the tile of their kernel") {
  constexpr auto narrow = sgemm<128, 128>([](auto sum, auto) { return sum; });
  constexpr auto wide = sgemm<128, 256>([](auto sum, auto) { return sum; });
  for (const unsigned n : {1u, 128u, 129u, 256u, 257u}) {
    CHECK(sgemm_grid(narrow, 129, n).extents[0] == (n + 127) / 128);
    CHECK(sgemm_grid(wide, 129, n).extents[0] == (n + 255) / 256);
    CHECK(sgemm_grid(wide, 129, n).extents[1] == 2);
  }
}

TEST_CASE("grids of attention follow the size of a head of their kernel, of variants too") {
  constexpr auto& narrow = attention_tiles<tg::bf16, 64>;
  constexpr auto& wide = attention_tiles<tg::bf16, 128>;
  constexpr auto both =
      tg::choose_arch<90, 80>([](auto sm) { return attention_tiles<tg::bf16, 64, attention_options{}, sm.sm>; });
  for (const unsigned queries : {1u, 64u, 65u, 128u, 129u}) {
    const auto grid = attention_tiles_grid(narrow, queries, 3, 2);
    CHECK(grid.extents == attention_tiles_grid(both, queries, 3, 2).extents);
    CHECK(grid.extents[0] == (queries + 127) / 128);
    CHECK(grid.extents[1] == 3);
    CHECK(grid.extents[2] == 2);
    CHECK(attention_tiles_grid(wide, queries, 3, 2).extents[0] == (queries + 63) / 64);
    CHECK(attention_tiles_grid(attention_ragged<tg::bf16, 128>, queries, 3, 2).extents[0] == (queries + 63) / 64);
    CHECK(attention_tiles_grid(attention_f8<tg::bf16, 32>, queries, 3, 2).extents[0] == (queries + 127) / 128);
  }
}

TEST_CASE("the tile is that of the kernel, and of variants only where all have the same") {
  constexpr auto narrow = sgemm<128, 128>([](auto sum, auto) { return sum; });
  constexpr auto wide = sgemm<128, 256>([](auto sum, auto) { return sum; });
  using same = decltype(tg::variants(tg::requires_sm<80>(narrow), narrow));
  using other = decltype(tg::variants(tg::requires_sm<80>(wide), narrow));
  CHECK(tile_of_kernel<sgemm_extents, same>::value);
  CHECK_FALSE(tile_of_kernel<sgemm_extents, other>::value);
  CHECK_FALSE(tile_of_kernel<attention_extents, decltype(narrow)>::value);
}

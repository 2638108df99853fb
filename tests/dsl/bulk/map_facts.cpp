#include <tg/dsl/bulk/map_facts.hpp>

#include <tg/layout/pitch.hpp>

#include <doctest/doctest.h>

namespace { using namespace tg::detail; }  // namespace

TEST_CASE("swizzles of 16 bytes at a time have a mode, all others none") {
  static_assert(swizzle_mode<void*, 4> == 0);
  static_assert(swizzle_mode<tg::swizzle_t<1, 2, 3>, 4> == 1 && swizzle_mode<tg::swizzle_t<3, 3, 3>, 2> == 3);
  static_assert(swizzle_mode<tg::swizzle_t<3, 2, 3>, 2> == -1 && swizzle_mode<tg::swizzle_t<3, 3, 4>, 2> == -1);
  static_assert(swizzle_mode<tg::pitch_t<8>, 4> == -1);
  CHECK(log2_of_16<2> == 3);
}

TEST_CASE("options are counted, and each is given once") {
  static_assert(map_options_of<tg::fill_nan_t, tg::skip_t<2>, tg::promote_t<128>>.fits(2));
  static_assert(!map_options_of<tg::skip_t<2, 2>>.fits(2) && !map_options_of<tg::skip_t<9>>.fits(2));
  static_assert(!map_options_of<tg::promote_t<32>>.fits(1) && !map_options_of<tg::fill_nan_t, tg::fill_nan_t>.fits(1));
  static_assert(!map_options_of<tg::swizzle_t<1, 2, 3>, tg::swizzle_t<1, 2, 3>>.fits(1));
  CHECK(map_options_of<tg::promote_t<256>>.promotion == 3);
}

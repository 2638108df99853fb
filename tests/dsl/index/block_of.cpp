#include <tg/dsl/index/block_of.hpp>

#include <doctest/doctest.h>

using namespace tg::index;

namespace {

using x = single<thread<'x', 16, 4, 2>>;
using any = single<uniform<4>>;

}  // namespace

TEST_CASE("a form has the block of its coordinates, wherever they are in it") {
  constexpr tg::analysis::block_extent own{16, 4, 2};
  CHECK(block_of<x> == own);
  CHECK(block_of<plus<any, x>> == own);
  CHECK(block_of<times<any, node<x, number<3>, quotient<x, number<3>, false>>>> == own);
  CHECK(block_of<any, x> == own);
}

TEST_CASE("without coordinates one warp says all") {
  CHECK(block_of<any> == tg::analysis::block_extent{32, 1, 1});
  CHECK(block_of<number<3>, single<steps<number<2>>>> == tg::analysis::block_extent{32, 1, 1});
}

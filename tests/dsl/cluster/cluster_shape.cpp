#include <tg/dsl/cluster/cluster_shape.hpp>

#include <doctest/doctest.h>

#include <tg/dsl/kernel/for_sm.hpp>

namespace {

constexpr auto shape = tg::block<32, 4> | tg::cluster<2, 1, 4>;
using type = std::remove_const_t<decltype(shape)>;
static_assert(type::threads == 128 && tg::detail::is_clustered<type> && !tg::detail::is_clustered<tg::block_t<32, 4>>);
static_assert(tg::detail::cluster_shape_of<type>.z == 4 && tg::detail::cluster_shape_of<tg::block_t<32>>.x == 0);
static_assert(tg::detail::cluster_around<type>::blocks == 8);

// What stands behind the cluster keeps it.
using targeted = std::remove_const_t<decltype(shape | tg::for_sm<90>)>;
static_assert(tg::detail::is_clustered<targeted> && tg::detail::cluster_around<targeted>::y == 1);

constexpr auto both = tg::block<64> | tg::max_registers<40> | tg::cluster<2> | tg::min_blocks<2>;
using bounded = std::remove_const_t<decltype(both)>;
static_assert(tg::detail::max_registers_of<bounded> == 40 && tg::detail::min_blocks_of<bounded> == 2);

}  // namespace

TEST_CASE("a cluster is written behind the block, with bounds in any order") { CHECK(bounded::threads == 64); }

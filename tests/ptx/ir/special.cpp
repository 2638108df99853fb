#include <tg/ptx/ir/special.hpp>

#include <doctest/doctest.h>

using tg::ptx::special;

TEST_CASE("the special registers of 64 bits") {
  CHECK(is_wide(special::clock64));
  CHECK(is_wide(special::globaltimer));
  CHECK_FALSE(is_wide(special::clock));
  CHECK_FALSE(is_wide(special::globaltimer_lo));
}

TEST_CASE("what a cluster says of its blocks ends where it says something of a block alone") {
  CHECK(is_of_cluster(special::is_explicit_cluster));
  CHECK(is_of_cluster(special::clusterid_x));
  CHECK(is_of_cluster(special::cluster_nctarank));
  CHECK_FALSE(is_of_cluster(special::nctaid_x));
  CHECK_FALSE(is_of_cluster(special::lanemask_eq));
}

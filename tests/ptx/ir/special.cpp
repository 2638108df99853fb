#include <tg/ptx/ir/special.hpp>

using tg::ptx::special;

static_assert(is_wide(special::clock64) && is_wide(special::globaltimer) && !is_wide(special::clock));
static_assert(is_of_cluster(special::is_explicit_cluster) && is_of_cluster(special::clusterid_x) &&
              is_of_cluster(special::cluster_nctarank) && !is_of_cluster(special::nctaid_x));

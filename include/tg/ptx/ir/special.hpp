// The read-only registers of the machine, written %tid.x in PTX.
#pragma once

#include <cstdint>

namespace tg::ptx {

/// A special register; the dot before a component becomes an underscore.
/// Special registers.
// clang-format off
enum class special : std::uint8_t {
    none,
    tid_x, tid_y, tid_z, ntid_x, ntid_y, ntid_z, laneid, warpid, nwarpid, ctaid_x, ctaid_y, ctaid_z, nctaid_x,
    nctaid_y, nctaid_z, smid, nsmid, gridid, is_explicit_cluster, clusterid_x, clusterid_y, clusterid_z,
    nclusterid_x, nclusterid_y, nclusterid_z, cluster_ctaid_x, cluster_ctaid_y, cluster_ctaid_z, cluster_nctaid_x,
    cluster_nctaid_y, cluster_nctaid_z, cluster_ctarank, cluster_nctarank, lanemask_eq, lanemask_le, lanemask_lt,
    lanemask_ge, lanemask_gt, clock, clock_hi, clock64, globaltimer, globaltimer_lo, globaltimer_hi,
    total_smem_size, aggr_smem_size, dynamic_smem_size, current_graph_exec, pm0, pm1, pm2, pm3, envreg0, envreg1,
    envreg2, envreg3, reserved_smem_offset_begin, reserved_smem_offset_end, reserved_smem_offset_cap,
    reserved_smem_offset_0, reserved_smem_offset_1,
};
// clang-format on

/// Whether a special register has 64 bits.
constexpr bool is_wide(special s) {
  return s == special::clock64 || s == special::globaltimer || s == special::current_graph_exec;
}

/// What a cluster says of its blocks and itself: the same in all threads of a block.
constexpr bool is_of_cluster(special s) { return s >= special::is_explicit_cluster && s <= special::cluster_nctarank; }

}  // namespace tg::ptx

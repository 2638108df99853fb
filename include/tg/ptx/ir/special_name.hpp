// How a special register is spelled in PTX, and back. Apart from `special`, because the language needs no names.
#pragma once

#include <cstddef>
#include <string_view>

#include <tg/ptx/ir/lookup.hpp>
#include <tg/ptx/ir/special.hpp>

namespace tg::ptx {

/// The text of each special register.
// clang-format off
inline constexpr const char* special_names[] = {
    "",
    "tid.x", "tid.y", "tid.z", "ntid.x", "ntid.y", "ntid.z", "laneid", "warpid", "nwarpid", "ctaid.x", "ctaid.y",
    "ctaid.z", "nctaid.x", "nctaid.y", "nctaid.z", "smid", "nsmid", "gridid", "is_explicit_cluster", "clusterid.x",
    "clusterid.y", "clusterid.z", "nclusterid.x", "nclusterid.y", "nclusterid.z", "cluster_ctaid.x",
    "cluster_ctaid.y", "cluster_ctaid.z", "cluster_nctaid.x", "cluster_nctaid.y", "cluster_nctaid.z",
    "cluster_ctarank", "cluster_nctarank", "lanemask_eq", "lanemask_le", "lanemask_lt", "lanemask_ge",
    "lanemask_gt", "clock", "clock_hi", "clock64", "globaltimer", "globaltimer_lo", "globaltimer_hi",
    "total_smem_size", "aggr_smem_size", "dynamic_smem_size", "current_graph_exec", "pm0", "pm1", "pm2", "pm3",
    "envreg0", "envreg1", "envreg2", "envreg3",
    "reserved_smem_offset_begin", "reserved_smem_offset_end", "reserved_smem_offset_cap", "reserved_smem_offset_0",
    "reserved_smem_offset_1",
};
// clang-format on

/// The text of a special register.
constexpr std::string_view name(special s) { return special_names[static_cast<std::size_t>(s)]; }

static_assert(name(special::reserved_smem_offset_1) == "reserved_smem_offset_1");

/// The special register spelled `text` (without %), or `special::none`.
inline special to_special(std::string_view text) {
  static const detail::name_index index(special_names);
  return static_cast<special>(index.find(text, 0));
}

}  // namespace tg::ptx

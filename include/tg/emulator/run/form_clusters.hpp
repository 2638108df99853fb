// What a launch with clusters or of a cooperative grid needs before its first block runs.
#pragma once

#include <algorithm>
#include <atomic>
#include <string>

#include <tg/analysis/device_table.hpp>
#include <tg/analysis/occupancy.hpp>
#include <tg/emulator/block/cluster.hpp>
#include <tg/emulator/check/report.hpp>
#include <tg/ptx/registers/liveness.hpp>

namespace tg::emulator::detail {

/// The memory in which the blocks of a cooperative grid meet; nvcc's grid synchronisation finds it through %envreg1 and
/// %envreg2.
class grid_workspace {
 public:
  grid_workspace(memory& where, const launch_shape& shape) : where_(where) {
    if (shape.cooperative) address_ = where.allocate(bytes);
    if (address_ != 0) std::memset(where.at(address_, bytes), 0, bytes);
  }
  ~grid_workspace() { where_.release(address_); }
  grid_workspace(const grid_workspace&) = delete;
  grid_workspace& operator=(const grid_workspace&) = delete;

  std::uint64_t address() const { return address_; }

 private:
  static constexpr std::size_t bytes = 1024;
  memory& where_;
  std::uint64_t address_ = 0;
};

inline std::string extents(const launch_shape::extent& e) {
  return std::to_string(e.x) + " x " + std::to_string(e.y) + " x " + std::to_string(e.z);
}

/// How many blocks of this launch a large device, an H100 SXM, holds at once where threads have `registers`.
inline std::uint64_t resident_on_device(const machine& m, const kernel_info& kernel, std::uint32_t registers) {
  constexpr const analysis::device_figures& device = *analysis::find_device("H100");
  const analysis::block_demand own{static_cast<int>(m.shape.block.count()), static_cast<int>(registers),
                                   static_cast<std::int64_t>(kernel.static_shared_bytes + m.shape.dynamic_shared_bytes)};
  return static_cast<std::uint64_t>(device.multiprocessors) *
         static_cast<std::uint64_t>(analysis::find_occupancy(device.multiprocessor, own).blocks);
}

/// The most blocks of this launch that may wait for each other. Where it matters, threads have the registers that hold a
/// value at one place, ptxas uses no fewer unless it spills; occupancy queries answer for as many as it may use.
inline std::uint64_t most_resident_blocks(const machine& m, const kernel_info& kernel, std::size_t kernel_index) {
  const std::uint64_t sure = resident_on_device(m, kernel, kernel.register_count);
  if (m.shape.grid.count() <= sure) return sure;
  const ptx::function& f = m.loaded.source().functions[m.loaded.function_of(kernel_index)];
  return resident_on_device(m, kernel, std::min(ptx::liveness(f).peak().registers, kernel.register_count));
}

/// Sets the extents of the clusters from the launch and from what the kernel says.
/// Errors: TG458 for a cluster or a cooperative grid that the kernel, the grid or a device excludes.
inline void form_clusters(machine& m, std::size_t kernel_index) {
  const kernel_info& kernel = m.loaded.kernels()[kernel_index];
  if (m.shape.cooperative)
    if (const std::uint64_t most = most_resident_blocks(m, kernel, kernel_index); m.shape.grid.count() > most)
      throw error(code{458},
                  "cooperative launch of '" + kernel.name + "' with " + std::to_string(m.shape.grid.count()) +
                      " blocks, of which " + std::to_string(most) + " fit a device at once",
                  "launch as many blocks as the occupancy query says, and let each do more");
  static std::atomic<std::uint64_t> launches{0};
  m.grid_number = ++launches;
  const auto refuse = [&](const std::string& why, std::string_view fix) {
    throw error(code{458}, "launch of '" + kernel.name + "' in clusters of " + extents(m.cluster) + " blocks" + why, fix);
  };
  const launch_shape::extent& asked = m.shape.cluster;
  const std::uint32_t x = kernel.cluster[0], y = kernel.cluster[1], z = kernel.cluster[2];
  const launch_shape::extent own{std::max(x, 1u), std::max(y, 1u), std::max(z, 1u)};
  const bool is_asked = asked.count() > 1;
  m.is_explicit_cluster = is_asked || x != 0;
  m.cluster = is_asked ? asked : own;
  if (is_asked && x != 0 && (asked.x != own.x || asked.y != own.y || asked.z != own.z))
    refuse(", but it requires " + extents(own), "launch it with the clusters it was written for");
  if (kernel.needs_cluster && !m.is_explicit_cluster)
    refuse(", but it has .explicitcluster", "give the launch the extents of its clusters");
  const std::uint64_t most = kernel.max_cluster_rank != 0 ? kernel.max_cluster_rank : max_cluster_blocks;
  if (m.cluster.count() > most)
    refuse(", more than " + std::to_string(most), "use smaller clusters: 8 blocks fit every device, 16 some");
  const auto& grid = m.shape.grid;
  if (grid.x % m.cluster.x != 0 || grid.y % m.cluster.y != 0 || grid.z % m.cluster.z != 0)
    refuse(" and a grid of " + extents(grid), "make the grid a multiple of the cluster in each extent");
}

}  // namespace tg::emulator::detail

// The emulated driver's calls about how many blocks run together.
#pragma once

#include <tg/analysis/occupancy.hpp>
#include <tg/emulator/driver_table/function.hpp>

namespace tg::emulator::entry {

/// Blocks of `block_threads` that share one multiprocessor of an sm_90 part; none where the launch of one would be refused:
/// more dynamic shared memory than the function was allowed, or more threads than its .maxntid or .reqntid.
inline int resident_blocks(const function& f, int block_threads, std::size_t dynamic_shared_bytes) {
  if (dynamic_shared_bytes > static_cast<std::size_t>(f.max_dynamic_shared_bytes)) return 0;
  const kernel_info& k = f.info();
  if (block_threads > max_threads(k)) return 0;
  const auto shared = static_cast<std::int64_t>(k.static_shared_bytes + dynamic_shared_bytes);
  return analysis::find_occupancy(limits::multiprocessor, {block_threads, static_cast<int>(k.register_count), shared}).blocks;
}

inline result cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, function_handle function, int block_threads,
                                                          std::size_t dynamic_shared_bytes) {
  return guarded([&](machine& m) {
    require(blocks && block_threads > 0);
    *blocks = resident_blocks(*m.functions.at(function), block_threads, dynamic_shared_bytes);
  });
}

inline result cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, function_handle function, int block_threads,
                                                                   std::size_t dynamic_shared_bytes, unsigned flags) {
  if (flags > 1) return result::invalid_value;
  return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block_threads, dynamic_shared_bytes);
}

/// The block size with the most resident threads; of equal ones the largest.
inline result cuOccupancyMaxPotentialBlockSize(int* min_grid, int* block, function_handle function,
                                               driver::dynamic_shared_size shared_of, std::size_t dynamic_shared_bytes,
                                               int limit) {
  return guarded([&](machine& m) {
    require(min_grid && block);
    const auto f = m.functions.at(function);
    const kernel_info& k = f->info();
    const int most = limit > 0 ? std::min(limit, max_threads(k)) : max_threads(k);
    int best_threads = 0, best_block = 0, best_count = 0;
    for (int size = (most + 31) / 32 * 32; size > 0; size -= 32) {
      const int threads = std::min(size, most);
      const int count = resident_blocks(*f, threads, shared_of ? shared_of(threads) : dynamic_shared_bytes);
      if (count * threads <= best_threads) continue;
      best_threads = count * threads;
      best_block = threads;
      best_count = count;
    }
    *block = best_block;
    *min_grid = best_count * value_of(device_attribute::multiprocessor_count);
  });
}

inline result cuOccupancyMaxPotentialBlockSizeWithFlags(int* min_grid, int* block, function_handle function,
                                                        driver::dynamic_shared_size shared_of, std::size_t dynamic_shared_bytes,
                                                        int limit, unsigned flags) {
  if (flags > 1) return result::invalid_value;
  return cuOccupancyMaxPotentialBlockSize(min_grid, block, function, shared_of, dynamic_shared_bytes, limit);
}

inline result cuOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, function_handle function, int blocks,
                                                      int block_threads) {
  return guarded([&](machine& m) {
    require(bytes && blocks > 0 && block_threads > 0);
    const auto f = m.functions.at(function);
    require(blocks <= resident_blocks(*f, block_threads, 0));
    const auto own = static_cast<std::int64_t>(f->info().static_shared_bytes);
    *bytes = static_cast<std::size_t>(analysis::dynamic_shared_for(limits::multiprocessor, own, blocks));
  });
}

/// Blocks of a cluster that a launch asks for; {1, 1, 1} where it asks for none.
inline launch_shape::extent cluster_of(const driver::launch_config& config) {
  for (unsigned i = 0; i < config.attribute_count; ++i)
    if (config.attributes[i].id == driver::launch_attribute_id::cluster_dimension) {
      const auto& e = config.attributes[i].value.extent;
      return {e.x, e.y, e.z};
    }
  return {};
}

inline result cuOccupancyMaxPotentialClusterSize(int* blocks, function_handle function, const driver::launch_config* config) {
  return guarded([&](machine& m) {
    require(blocks && config);
    *blocks =
        m.functions.at(function)->allows_big_clusters ? limits::blocks_per_cluster_non_portable : limits::blocks_per_cluster;
  });
}

inline result cuOccupancyMaxActiveClusters(int* clusters, function_handle function, const driver::launch_config* config) {
  return guarded([&](machine& m) {
    require(clusters && config);
    const auto threads = static_cast<int>(config->block_x * config->block_y * config->block_z);
    const int blocks = resident_blocks(*m.functions.at(function), threads, config->shared_bytes);
    const auto size = static_cast<int>(cluster_of(*config).count());
    require(size > 0);
    *clusters = blocks * value_of(device_attribute::multiprocessor_count) / size;
  });
}

}  // namespace tg::emulator::entry
